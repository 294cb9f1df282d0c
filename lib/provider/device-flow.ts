import type { Configuration } from 'oidc-provider';
import { requestOf } from './request-view.ts';

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

/** What a person sees who enters a user code. */
export type DevicePages = Required<Pick<DeviceFlow, 'userCodeInputSource' | 'userCodeConfirmSource' | 'successSource'>>;

const maxUserAgent = 300;

/** RFC 8628 section 6.1: without vowels and digits a code does not spell a word, and no two letters look alike. 20 to the power of 8 are 35 bits. */
export function deviceFlow(pages: DevicePages): DeviceFlow {
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
