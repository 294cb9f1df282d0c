import { appRequestId } from '../core/applications/request.ts';
import { grantIdOf } from '../records/codec.ts';
import { clients, people } from './example-clients.ts';

const { member } = people;

/** An app that a rule of the school keeps from changing anything. */
export const boardId = 'reg-board';

/** The same app, as somebody has registered it for the second time. The school has blocked it. */
export const blockedId = 'reg-board-again';

const { clientId, clientName, redirectUris } = clients.document;

/** Metadata documents: one that has changed since it was approved, one that nobody has decided on, and one that was approved. */
export const exampleDocuments = {
  changed: { clientId, clientName, redirectUris },
  undecided: { clientId: 'https://tutor.example/client.json', clientName: 'Tutor', redirectUris },
  approved: { clientId: 'https://notes.example/client.json', clientName: 'Notes', redirectUris },
} as const;

/** The connections of the member. */
export const connectionIds = {
  timer: grantIdOf(member.id, clients.ofMembers.clientId),
  board: grantIdOf(member.id, boardId),
} as const;

/** Forms for a secret: one has just got it, and one was sent twice. */
export const formsOfSecrets = { shown: 'form', twice: 'twice' } as const;

/** What the member has asked the school for. */
export const requestIds = {
  open: appRequestId(member.id, 'other'),
  granted: appRequestId(member.id, 'claude'),
} as const;
