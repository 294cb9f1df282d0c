import * as z from 'zod';
import type { EngineCache, Lifetimes, Limits, SiteCache } from '../contracts/limits.ts';
import { group, type Members, whole } from '../protocol/option-schemas.ts';

const hour = 60 * 60;
const day = 24 * hour;
const tenYears = 3650 * day;

function lifetime(max: number, standard: number, meaning: string, min: number = 1): z.ZodDefault<z.ZodInt> {
  return whole('whole number of seconds', min, max).default(standard).describe(meaning);
}

export const lifetimesSchema: z.ZodType<Lifetimes> = group({
  authorizationCode: lifetime(600, 60, 'Authorization codes.'),
  accessToken: lifetime(day, 2 * hour, 'Access tokens.'),
  refreshToken: lifetime(tenYears, 30 * day, 'Refresh tokens. Every refresh starts it again.'),
  grant: lifetime(tenYears, 180 * day, 'A person’s consent to a client.'),
  signIn: lifetime(day, hour / 4, 'From the authorization request to sign-in, if no one is signed in yet.'),
  interaction: lifetime(day, hour, 'From the authorization request, or sign-in, to the response of the person.'),
  refreshGrace: lifetime(600, 30, 'How long a redeemed refresh token gets the same response again. 0 turns it off.', 0),
} satisfies Members<Lifetimes>).prefault({});

const perHour = whole('whole number per hour', 0, 1_000_000_000);
const perAddress = perHour.describe('From one IPv4 address or one IPv6 /64 network.');
const perSite = perHour.describe(
  'At one site, from all addresses together. A network (IPv4 /24, IPv6 /48) gets a quarter, and a hundredth of the second half.',
);
const byAddress = group({ perAddress, perSite });
const byFamily = group({
  perFamily: perHour.describe('For one token family: one device of one person.'),
});
const byMember = group({ perMember: perHour.describe('For one member through one client.') });

export const limitsSchema: z.ZodType<Limits | false> = z
  .union([
    z.literal(false),
    group(
      {
        registrations: byAddress.prefault({ perAddress: 60, perSite: 600 }).describe('Registrations.'),
        documents: byAddress
          .prefault({ perAddress: 60, perSite: 600 })
          .describe('Fetches of metadata documents that nobody has allowed or approved yet.'),
        authorizations: byAddress
          .prefault({ perAddress: 1200, perSite: 6000 })
          .describe(
            'Authorization requests that wait for a person. A signed-in member has `perAddress`, all of them `perSite` of their own.',
          ),
        anonymousCalls: byAddress
          .prefault({ perAddress: 3600, perSite: 36_000 })
          .describe('Requests to `/mcp` without a token.'),
        tokenCalls: byMember.prefault({ perMember: 3600 }).describe('Requests to `/mcp` with a token.'),
        refreshes: byFamily.prefault({ perFamily: 120 }).describe('Refreshes at the token endpoint.'),
      } satisfies Members<Limits>,
      'be an object, or false',
    ),
  ])
  .prefault({});

export const enginesSchema: z.ZodType<EngineCache> = group({
  max: whole('whole number', 1, 1_000_000)
    .default(1000)
    .describe(
      'How many are kept: those of the sites that were used last. One takes about 2 kB, and 40 kB with keys of its own.',
    ),
} satisfies Members<EngineCache>).prefault({});

export const siteCacheSchema: z.ZodType<SiteCache> = group({
  max: whole('whole number', 1, 1_000_000)
    .default(5000)
    .describe('How many are kept: those of the origins that were asked for last. One takes about 0.5 kB.'),
  lifetime: whole('whole number of seconds', 0, hour)
    .default(5)
    .describe('Seconds until the platform is asked again, so until a change of a school has effect. 0 keeps nothing.'),
} satisfies Members<SiteCache>).prefault({});
