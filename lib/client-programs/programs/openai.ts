import { chatgpt, codex } from '../behaviours.ts';
import type { ClientProgram, KnownProgram } from '../program.ts';

const callback = 'https://chatgpt.com/connector_platform_oauth_redirect';

function codexRegistered(redirectUri: string): Pick<ClientProgram, 'redirectUri' | 'registration'> {
  return {
    redirectUri,
    registration: {
      clientName: 'Codex',
      redirectUris: [redirectUri],
      authMethods: ['none'],
      applicationType: 'native',
    },
  };
}

export const openaiPrograms: readonly KnownProgram[] = [
  {
    product: 'chatgpt',
    name: 'ChatGPT, registered',
    source: 'recorded',
    behaviour: chatgpt,
    redirectUri: callback,
    registration: { clientName: 'ChatGPT', redirectUris: [callback], authMethods: ['none'] },
  },
  {
    product: 'chatgpt',
    name: 'ChatGPT, document',
    source: 'recorded',
    behaviour: chatgpt,
    redirectUri: callback,
    document: 'https://chatgpt.com/oauth/client.json',
  },
  {
    product: 'chatgpt',
    name: 'ChatGPT, document of one connector',
    source: 'recorded',
    behaviour: chatgpt,
    redirectUri: 'https://chatgpt.com/connector/oauth/tU1UVEq8rRTK',
    document: 'https://chatgpt.com/oauth/tU1UVEq8rRTK/client.json',
  },
  {
    product: 'codex',
    name: 'Codex CLI, registered',
    source: 'read',
    behaviour: codex,
    ...codexRegistered('http://127.0.0.1:51732/callback'),
  },
  {
    product: 'codex',
    name: 'Codex CLI, registered, callback with an id',
    source: 'read',
    behaviour: codex,
    ...codexRegistered('http://127.0.0.1:51732/callback/b1c2d3e4'),
  },
  {
    product: 'codex',
    name: 'Codex CLI, document',
    source: 'read',
    behaviour: codex,
    ...codexRegistered('http://127.0.0.1:51732/callback'),
    document: 'https://chatgpt.com/oauth/codex/client.json',
  },
  {
    product: 'codex',
    name: 'Codex CLI, document with an id',
    source: 'read',
    behaviour: codex,
    ...codexRegistered('http://127.0.0.1:51732/callback/q2r_T-x01234'),
    document: 'https://chatgpt.com/oauth/codex/q2r_T-x01234/client.json',
  },
];
