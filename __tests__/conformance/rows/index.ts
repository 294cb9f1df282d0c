import type { Row } from '../row.ts';
import { applications } from './applications.ts';
import { audience } from './audience.ts';
import { authorizeRows } from './authorize.ts';
import { clients } from './clients.ts';
import { descriptionRows } from './descriptions.ts';
import { discovery } from './discovery.ts';
import { errors } from './errors.ts';
import { idTokenRows } from './id-token.ts';
import { memberApiRows } from './member-api.ts';
import { metadataDocumentRows } from './metadata-documents.ts';
import { openidRows } from './openid.ts';
import { registeredClients } from './registered-clients.ts';
import { registration } from './registration.ts';
import { revokeRows } from './revoke.ts';
import { scopes } from './scopes.ts';
import { service } from './service.ts';
import { tokenRows } from './token.ts';
import { tokens } from './tokens.ts';
import { toolRows } from './tools.ts';
import { userinfoRows } from './userinfo.ts';
import { viewerRows } from './viewer.ts';

/** Every row. */
export const rows: readonly Row[] = [
  ...service,
  ...viewerRows,
  ...clients,
  ...tokens,
  ...discovery,
  ...descriptionRows,
  ...authorizeRows,
  ...tokenRows,
  ...userinfoRows,
  ...revokeRows,
  ...registration,
  ...registeredClients,
  ...metadataDocumentRows,
  ...applications,
  ...audience,
  ...memberApiRows,
  ...toolRows,
  ...idTokenRows,
  ...openidRows,
  ...scopes,
  ...errors,
];
