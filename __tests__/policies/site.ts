import type { Site } from '../../lib/contracts/platform.ts';

/** A school for requests to policies. */
export const site: Site = {
  id: 'harbour',
  origin: 'https://harbour.example',
  name: 'Harbour',
  connectionsEnabled: true,
};
