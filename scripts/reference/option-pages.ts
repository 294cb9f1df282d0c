import { isFor, scopeCatalogue, type ScopeRow } from '../../lib/core/scopes/scopes.ts';
import { codeOf, type Option, type OptionSection, optionSections } from './options.ts';
import { code, type ReferenceEntry, type ReferencePage } from './page.ts';
import type { PublicApi } from './public-api.ts';

/** The reference of all options and scopes. Rate limits have their own page. */
export function optionsPage(api: PublicApi): ReferencePage {
  const sections = optionSections(api).map(({ title, options }) => ({
    title,
    entries: options.filter((option) => !isRateLimit(option)).map(optionEntry),
  }));
  return {
    file: 'docs/reference/options.md',
    title: 'Options',
    about: aboutOptions,
    sections: [...sections.filter(({ entries }) => entries.length > 0), scopes()],
  };
}

/** The members of `limits`, and how requests are counted. */
export function rateLimitsPage(api: PublicApi): ReferencePage {
  const options = optionSections(api).flatMap((section: OptionSection) => section.options);
  return {
    file: 'docs/reference/rate-limits.md',
    title: 'Rate limits',
    about: aboutLimits,
    sections: [
      { title: 'Options', entries: options.filter(isRateLimit).map(optionEntry) },
      { title: 'How requests are counted', about: aboutCounting, entries: [] },
    ],
  };
}

function isRateLimit({ path }: Option): boolean {
  return path.startsWith('limits.') || path === 'perAddress' || path === 'perSite';
}

function optionEntry({ path: name, type, meaning, ...option }: Option): ReferenceEntry {
  return { heading: code(name), facts: [type, ...defaultOf(option)], text: meaning };
}

/** A group has the defaults of its members, and only TSDoc can say what happens without an option. */
function defaultOf({
  isRequired,
  isGroup,
  standard,
  saidStandard,
}: Omit<Option, 'path' | 'type' | 'meaning'>): string[] {
  if (isRequired) return ['**required**'];
  if (standard === undefined) return [`default: ${oneLine(saidStandard ?? 'none').replace(/^'(.*)'$/, '`"$1"`')}`];
  return isGroup ? [] : [`default: ${codeOf(standard)}`];
}

function scopes() {
  const all: readonly ScopeRow[] = scopeCatalogue;
  const entries = all.map(({ scope, text, ...row }) => {
    const audiences = (['operator', 'member'] as const).filter((audience) => isFor(audience, row.audience));
    return { heading: code(scope), facts: audiences, text };
  });
  return { title: 'Scopes', about: aboutScopes, entries };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}

const aboutOptions = `Look up an option of \`createCampus\` and of the other functions that you call. An unknown option or a wrong value throws a \`TypeError\` that
names the option by its path.`;

const aboutScopes = `The scopes of the specification, with the kind of client and the text on the consent page. \`scopeCatalogue\` exports this table.
[Scopes and claims](../guides/scopes-and-claims.md) adds your own.`;

const aboutLimits = `The option \`limits\` sets how many requests are served in an hour. A request above a rate limit gets 429 \`slow_down\` with \`Retry-After\`. You get the
audit event \`quota.exceeded\` with the name of the rate limit as \`reason\`.

\`\`\`ts
import type { CampusOptions } from 'campus-oidc';

export const limits: CampusOptions['limits'] = {
  registrations: { perAddress: 120, perSite: 1200 },
  refreshes: { perFamily: 240 },
};
\`\`\`

\`limits: false\` removes all rate limits. A function \`(site) => …\` sets them for one school, or returns \`undefined\` for the defaults. Verifying an
access token has no rate limit.

> [!WARNING]
> If a proxy hides the addresses of callers, they all share one network. Set up [your proxy](../guides/frameworks.md) first.`;

const aboutCounting = `- **An address** is one IPv4 address or one IPv6 /64 network. In each process, the same number also applies to that address at all schools together.
- **A school's hour** has two halves. The first is first come, first served, but one network (IPv4 /24, IPv6 /48) gets at most a quarter of the
  whole. In the second half, each network gets a hundredth, so a few addresses cannot use it up for everyone.
- **Signed-in members** are counted separately, so strangers cannot lock them out.
- **Client assertions**: above \`failedPerClient\`, only addresses that sent a wrong assertion are refused for that client. Strangers cannot
  lock a client out.
- **A device code**: one member can enter 60 in an hour.

Sizes and times of requests are bounded even with \`limits: false\`.`;
