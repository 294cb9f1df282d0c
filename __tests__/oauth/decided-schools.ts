import type { AuditEvent, Site } from '../../lib/index.ts';
import { loopbackClients, metadataDocuments, vendorPlatforms, wellKnownVendors } from '../../policies/index.ts';
import { jsonResponse, type TestClient } from '../helpers/flow.ts';
import { plugins, type Schools, type SchoolsOptions, startSchools } from '../helpers/schools.ts';
import { siteOf } from '../helpers/sites.ts';

/** What operators ask for. */
export const scope = 'openid courses:read courses:write';

/** What is left of it where nothing may change. */
export const readOnly = ['openid', 'courses:read'];

/** Schools at which people decide on apps. */
export interface DecidedSchools {
  readonly schools: Schools;
  readonly site: Site;
  readonly events: AuditEvent[];
  /** Registers an app. */
  register(app: DescribedApp): Promise<TestClient>;
}

/** Olivia is an owner, who decides; Tess a teacher, who may connect what acts for operators; Sam a student. */
export async function startDecidedSchools(
  options: NonNullable<SchoolsOptions['campus']> = {},
  roles: { readonly operatorRoles?: readonly string[] } = {},
): Promise<DecidedSchools> {
  const registration = [vendorPlatforms(wellKnownVendors), loopbackClients()];
  const platform = { operatorRoles: ['owner', 'teacher'], adminRoles: ['owner'], ...roles };
  const documents = { metadataDocuments: metadataDocuments({ hosts: ['docs.example'] }) };
  const schools = await startSchools({ ...plugins, campus: { registration, ...documents, ...options }, platform });
  const { olivia, sam } = schools.people['harbour'] ?? {};
  if (!olivia || !sam) throw new Error('the school has no people');
  const tess = { ...olivia, id: 'tess', name: 'Tess Teacher', roles: ['teacher'] };
  schools.people['harbour'] = { olivia, sam, tess };
  const events: AuditEvent[] = [];
  schools.campus.events.on('audit', (event) => events.push(event));
  return {
    schools,
    site: siteOf(schools),
    events,
    register: async ({ name, redirectUri }) => {
      const body = JSON.stringify({ client_name: name, redirect_uris: [redirectUri] });
      const headers = { 'content-type': 'application/json' };
      const registered = await fetch(`${schools.harbour}/api/oauth/register`, { method: 'POST', headers, body });
      const { body: client } = await jsonResponse(registered);
      return { id: String(client['client_id']), redirectUri, scope };
    },
  };
}

export interface DescribedApp {
  /** Its id, if it is a known one. */
  readonly app?: string;
  readonly name: string;
  /** Whether the platform knows it by its name, by a row for its callback. @default false */
  readonly isKnown?: boolean;
  readonly redirectUri: string;
}

export const apps = {
  'a vendor': {
    app: 'claude',
    name: 'Claude',
    isKnown: true,
    redirectUri: 'https://claude.ai/api/mcp/auth_callback',
  },
  'a known loopback app': {
    app: 'claude-code',
    name: 'Claude Code',
    redirectUri: 'http://127.0.0.1:8766/callback',
  },
  'an unknown loopback app': { name: 'Lab script', redirectUri: 'http://127.0.0.1:8765/callback' },
} as const satisfies Readonly<Record<string, DescribedApp>>;
