import type { Site } from '../../lib/host/school-platform.ts';

/** A school for requests to policies. */
export const site: Site = {
  id: 'harbour',
  origin: 'https://harbour.example',
  name: 'Harbour',
  connectionsEnabled: true,
};
