import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { assertionText, assertionTexts } from '../../../lib/features/private-key-jwt/engine-texts.ts';
import { enabledBy, knownToClients } from '../../../lib/core/enabled/enabled.ts';
import { textsFor } from '../../../lib/engine/engine-errors.ts';
import { features } from '../../../lib/features/features.ts';
import { harbourSite } from '../../helpers/sites.ts';

const engine = dirname(createRequire(import.meta.url).resolve('oidc-provider'));
const files = ['shared/client_auth.js', 'shared/jwt_client_auth.js', 'helpers/jwt.js'];

/** Texts that no request leads to, or that name the value themselves. */
const others: Readonly<Record<string, readonly string[]>> = {
  'authentication that is off': [
    'sub (JWT subject) must be provided in the OAuth-Client-Attestation JWT',
    'invalid OAuth-Client-Attestation format',
    'client certificate was not provided',
    'client certificate was not verified',
    'certificate subject value does not match the registered one',
    'unregistered client certificate provided',
  ],
  'a secret never expires in the engine': [
    'could not authenticate the client - its client secret is expired',
    'could not authenticate the client - its client secret used for the client_assertion is expired',
  ],
  'a step of ours has refused it by then': ['client assertion tokens must only be used once'],
  'another check comes before it': [
    'invalid JWT.decode input type',
    'payload is not of JWT type (JSON serialized object)',
    'jwt issued in the future',
    'invalid iss value',
    'invalid sub value',
    'jwt issuer invalid',
  ],
  'the cause of another text': ['invalid character found'],
};

test('whatever the engine says of a client that does not prove who it is, we say which value is wrong, and what to do', async () => {
  const sources = await Promise.all(files.map((file) => readFile(join(engine, file), 'utf8')));
  const said = [...sources.join('\n').matchAll(/(?:Error|Expiration|new Invalid\w+)\(\s*'([^']+)'/g)];
  const texts = new Set(said.map(([, text = '']) => text));
  expect(texts.size).toBeGreaterThan(30);
  const ours = { ...textsFor(enabledBy(knownToClients(features)), []), ...assertionTexts };
  const request = { site: harbourSite('https://harbour.example'), form: {}, sender: { proof: undefined } };
  const known = (text: string): boolean => Object.hasOwn(ours, text) || assertionText(text, request) !== undefined;
  expect([...texts].filter((text) => !known(text)).toSorted()).toEqual(Object.values(others).flat().toSorted());
});
