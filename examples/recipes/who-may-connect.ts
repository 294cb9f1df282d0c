// who-may-connect.ts
import type { AccessPolicy } from 'campus-oidc';
import {
  loopbackClients,
  noEmailOf,
  onlyRoles,
  reviewedOnly,
  unless,
  vendorPlatforms,
  viewOnlyUnlessVerified,
  wellKnownVendors,
} from 'campus-oidc/policies';
import { createHarbour, origin, platform } from './harbour.ts';

/** In place of your own table of what parents have signed. */
const signed = new Set(['tess']);

const recipes: Readonly<Record<string, readonly AccessPolicy[]>> = {
  'teachers connect assistants, others reviewed apps': [
    onlyRoles(['teacher'], { kind: 'assistant' }),
    reviewedOnly({ except: ['teacher', 'owner'] }),
    viewOnlyUnlessVerified(),
  ],
  'Claude and our own apps': [
    unless(
      ({ app }) => app.id === 'claude' || app.source === 'platform',
      { access: 'blocked', text: { en: 'Your school uses Claude.', 'zh-Hant': '貴校使用 Claude。' } },
      'ourApps',
    ),
  ],
  'no addresses of students': [noEmailOf({ except: ['teacher', 'owner'] })],
  'students read courses': [
    unless(
      ({ member }) => member?.roles.includes('teacher'),
      { scopes: ['openid', 'email', 'courses:read'] },
      'studentsRead',
    ),
  ],
  'parents sign first': [
    {
      name: 'parents',
      at: ['connect', 'refresh'], // it waits for a database, so it is not asked at each use
      decide: async ({ member }) => (member && signed.has(member.id) ? undefined : { ask: true }),
    },
  ],
};

/** Who may become a client; `access` says who may connect it. */
const registration = [vendorPlatforms(wellKnownVendors), loopbackClients()];
/** Such apps act for operators: without this, only owners and admins connect them. */
const roles = { operatorRoles: ['owner', 'teacher', 'student'], adminRoles: ['owner'] };
const campusWith = (access: readonly AccessPolicy[] | undefined) =>
  createHarbour({ access, registration, platform: { ...platform, ...roles } });
const [harbour] = platform.schools;
if (!harbour) throw new Error('there is no school');
const scopes = ['openid', 'email', 'courses:read', 'courses:write'];
for (const [name, access] of Object.entries(recipes)) {
  const campus = campusWith(access);
  for (const app of ['claude', 'goose'])
    for (const memberId of ['tess', 'sam']) {
      const { outcome, scopes: given, reasons } = await campus.explain(origin, { app, memberId, scopes });
      const by = reasons.map(({ policy }) => ` (${policy})`).join('');
      console.log(`${name}: ${memberId}, ${app}: ${outcome}: ${given.join(' ') || 'nothing'}${by}`);
    }
}

// The school decides beside the platform: what an administrator does at Apps, from a page or job of your own.
const campus = campusWith(recipes['parents sign first']);
await campus.apps.set(harbour, 'claude', { access: 'view_only' }, { by: 'olivia' });
await campus.apps.allowPerson(harbour, 'claude', 'sam', { by: 'olivia' });
const { outcome, reasons } = await campus.explain(origin, { app: 'claude', memberId: 'sam', scopes });
console.log(`the school allows sam: ${outcome}`);
for (const { text, from, change } of reasons) console.log(`${text} (${from}): ${change}`);
