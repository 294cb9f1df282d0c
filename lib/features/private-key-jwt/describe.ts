import type { DescribedFeature } from '../../describe/service-description.ts';

export const privateKeyJwtDescription: DescribedFeature = {
  limits: ({ assertions: { perClient, failedPerAddress } }) => [
    ['assertions of clients with keys', `${perClient} per client, and ${failedPerAddress} that fail per IP address`],
  ],
};
