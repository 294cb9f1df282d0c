import { InvalidRedirectUri } from '../../kernel/errors.ts';
import type { FeatureExamples } from '../feature-examples.ts';

/** In place of the policies of the host, which know nothing of the school of the examples. */
export const registrationExamples: FeatureExamples = {
  settings: {
    registration: [
      {
        name: 'loopback clients',
        decide: () => {
          throw new InvalidRedirectUri('redirect_uris[0] must be a loopback address');
        },
      },
    ],
  },
};
