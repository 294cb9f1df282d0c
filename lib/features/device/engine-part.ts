import type { Configuration } from 'oidc-provider';
import { lifetimesOf } from '../../engine/engine-callbacks.ts';
import type { EngineFeature } from '../../engine/engine-feature.ts';
import { requestOf } from '../../engine/engine-request.ts';
import { type DeviceCodeOptions, deviceCodes, pollInterval } from './code-storage.ts';
import { devicePaths } from './names.ts';
import { userCode } from './user-code.ts';

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

function deviceFlow(pages: DevicePages): DeviceFlow {
  return {
    ...pages,
    enabled: true,
    charset: userCode.charset,
    mask: userCode.mask,
    deviceInfo: (ctx) => {
      const { ip, headers } = requestOf(ctx).ctx;
      return { address: ip, userAgent: headers['user-agent']?.slice(0, maxUserAgent) };
    },
  };
}
