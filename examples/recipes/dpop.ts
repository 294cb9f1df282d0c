// dpop.ts
import { once } from 'node:events';
import { dpop } from 'campus-oidc/dpop';
import { clientCredentials } from 'campus-oidc/grants';
import express from 'express';
import * as client from 'openid-client';
import { createHarbour, origin } from './harbour.ts';

const sync = {
  clientId: 'sync',
  clientName: 'Nightly sync',
  audience: 'service',
  redirectUris: [],
  scopes: ['courses:read'],
  clientSecret: 'a secret of the recipes',
  dpop: 'required',
} as const;
const campus = createHarbour({ dpop: dpop(), grants: [clientCredentials()], clients: [sync] });

const bound = campus.guard({ audience: ['service'], scopes: ['courses:read'], bound: true });
const app = express();
app.use(campus.handler());
app.use('/api', bound, (req, res) => void res.json({ calledBy: bound.tokenOf(req).clientId }));
const server = app.listen(Number(new URL(origin).port));
await once(server, 'listening');

// The client: its key never leaves this process.
const secret = client.ClientSecretPost(sync.clientSecret);
const local = { execute: [client.allowInsecureRequests] };
const config = await client.discovery(new URL(origin), sync.clientId, undefined, secret, local);
const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
const { access_token: token } = await client.clientCredentialsGrant(config, {}, { DPoP });
const api = new URL('/api', origin);
const answer = await client.fetchProtectedResource(config, token, api, 'GET', null, undefined, { DPoP });
console.log('with the key', answer.status, await answer.text());

// Somebody who has the token and not the key.
const stolen = await fetch(api, { headers: { authorization: `Bearer ${token}` } });
console.log('without it', stolen.status, stolen.headers.get('www-authenticate')?.slice(0, 26));
server.close();
