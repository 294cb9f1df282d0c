import type { Host } from '../host/host.ts';
import type { Audit } from '../observe/audit.ts';
import type { Records } from '../records/records.ts';
import type { LimitChoices } from './boundaries/limit-choices.ts';
import type { Clients } from './clients/client-manager.ts';
import type { ClientSource } from './clients/client-source.ts';
import type { Subjects } from './clients/subjects.ts';
import type { Access } from './access/access.ts';
import type { AppRuleFinders } from './access/rule-finders.ts';
import type { KeyRing } from './keys/keys.ts';
import type { News } from './news/news.ts';
import type { LimitManager } from './limits/limit-manager.ts';
import type { Outbound } from './outbound/outbound.ts';

/** The managers of a campus, each made once in `campus.ts`; that file has their order. The options stand beside it. */
export interface Core {
  readonly host: Host;
  readonly records: Records;
  readonly audit: Audit;
  readonly limits: LimitManager;
  readonly keys: KeyRing;
  readonly outbound: Outbound;
  /** The names under which clients know people. */
  readonly subjects: Subjects;
  /** What people choose the limits of a connection with. */
  readonly choices: LimitChoices;
  readonly rules: AppRuleFinders;
  readonly source: ClientSource;
  readonly clients: Clients;
  readonly access: Access;
  readonly news: News;
}
