import type { Configuration } from 'oidc-provider';
import { lifetimesOf } from '../../engine/callbacks.ts';
import type { EngineFeature } from '../../engine/engine-feature.ts';
import { requestOf } from '../../engine/request-view.ts';
import { type DeviceCodeOptions, deviceCodes, pollInterval } from './codes.ts';
import { devicePaths } from './facts.ts';

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

/** What a person sees who enters a user code. */
export type DevicePages = Required<Pick<DeviceFlow, 'userCodeInputSource' | 'userCodeConfirmSource' | 'successSource'>>;

const maxUserAgent = 300;

/** What the engine gets while the grant is on. */
export function deviceEngine(options: DeviceCodeOptions & { readonly pages: DevicePages }): EngineFeature {
  return {
    configuration: {
      routes: { device_authorization: devicePaths.authorization, code_verification: devicePaths.page },
      ttl: { DeviceCode: (ctx) => lifetimesOf(ctx).pendingSignIn },
      features: { deviceFlow: deviceFlow(options.pages) },
    },
    storage: { DeviceCode: deviceCodes(options) },
    starts: [{ path: devicePaths.authorization, complete: (body) => ({ ...body, interval: pollInterval }) }],
    prepare: (provider, { clarify, refused }) => {
      provider.on('device_authorization.error', clarify);
      provider.on('device_authorization.error', refused);
      provider.on('code_verification.error', refused);
      provider.on('device_resume.error', refused);
    },
  };
}

/** RFC 8628 section 6.1: without vowels and digits a code does not spell a word, and no two letters look alike. 20 to the power of 8 are 35 bits. */
function deviceFlow(pages: DevicePages): DeviceFlow {
  return {
    ...pages,
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    deviceInfo: (ctx) => {
      const { ip, headers } = requestOf(ctx).ctx;
      return { address: ip, userAgent: headers['user-agent']?.slice(0, maxUserAgent) };
    },
  };
}

/** A code as the engine compares it: it forgives case and separators, and here also letters of other widths, which Chinese keyboards type. */
export function plainUserCode(entered: string): string {
  return entered.normalize('NFKC').replaceAll(/[^A-Za-z]/g, '');
}
