import { generateKeyPairSync } from 'node:crypto';
import type { CampusKeys } from '../core/keys/keys.ts';
import { examplePaths, type Scene } from '../features/feature-examples.ts';
import { featureExamples, features } from '../features/features.ts';
import type { SchoolPlatform, Site } from '../host/school-platform.ts';
import type { Settings } from '../options/options.ts';
import { findExamplePerson, people } from '../pages/example-clients.ts';
import type { CsrfTokens } from '../pages/kit/csrf-tokens.ts';
import type { CampusParts } from '../campus-parts.ts';
import type { Store } from '../records/store.ts';
import { foundSchool, memberScopes } from './example-school.ts';

/** Calls `use` with the parts of a campus of its own, on which one example is shown. Nothing of the host's is called for it, and nothing is kept. */
export async function withExampleCampus<T>(
  { settings, createParts }: CampusParts,
  site: Site,
  scene: Scene,
  use: (parts: CampusParts) => Promise<T>,
): Promise<T> {
  // Only a host that sets `pages.gallery` needs it.
  const { memoryStore } = await import('../../adapters/memory/index.ts');
  const platform = examplePlatform(scene);
  const parts = createParts(exampleSettings(settings, memoryStore(), platform, scene));
  try {
    const { empty, only } = scene;
    // It has had applications, wherever they are not enabled now.
    if (empty !== true) await foundSchool(parts, { ...site, connectionsEnabled: true }, only);
    // Only now: a rule of the school names a role that is gone.
    platform.tellRoles();
    return await use(parts);
  } finally {
    await parts.close();
  }
}

/** The settings of the host, without what is the host's own: its people, policies, clients, keys and log. */
function exampleSettings(settings: Settings, store: Store, platform: SchoolPlatform, scene: Scene): Settings {
  const given = { ...settings, ...featureExamples().settings, ...scene.settings?.(memberScopes(settings.catalogue)) };
  const { developers, apps, yourApps } = settings.pages;
  const keys = exampleKeys();
  return {
    ...given,
    boundaryTypes: features.flatMap(({ boundaryTypes }) => boundaryTypes?.(given) ?? []),
    platform,
    operatorRoles: administrators,
    adminRoles: administrators,
    store,
    keys: () => keys,
    siteKeys: undefined,
    clients: [],
    access: [],
    claims: undefined,
    limits: false,
    hooks: {},
    telemetry: undefined,
    pages: {
      ...settings.pages,
      developers: developers && examplePaths.developers,
      apps: apps && examplePaths.apps,
      yourApps: yourApps && examplePaths.yourApps,
    },
  };
}

/** Forms of examples have no token, and one of them was open for too long. */
export const exampleCsrfTokens: CsrfTokens = { issue: () => '', verify: (_binding, token) => token !== 'expired' };

const administrators: ReadonlySet<string> = new Set(people.operator.roles);

function exampleKeys(): CampusKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signing = [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', kid: 'example' }];
  return { signing, cookies: ['a secret of the examples'] };
}

const roles = [
  { role: 'owner', name: 'Owner' },
  { role: 'teacher', name: 'Teacher' },
  { role: 'student', name: 'Student' },
];

interface ExamplePlatform extends SchoolPlatform {
  /** From now on it says which roles there are, if it does at all. */
  tellRoles(): void;
}

function examplePlatform({ as, tellsRoles = true }: Scene): ExamplePlatform {
  let told: typeof roles | undefined;
  return {
    findSite: () => undefined,
    signedInMember: () => as && { memberId: people[as].id },
    signInUrl: () => '#',
    findMember: (_site, id) => findExamplePerson(id),
    roles: () => told,
    tellRoles: () => {
      told = tellsRoles ? roles : undefined;
    },
  };
}
