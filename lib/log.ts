export type { EventPage, EventQuestion } from './observe/event-question.ts';
export type { LogKind } from './observe/log-kind.ts';
export { type KeptEvents, storedLog, type StoredLogOptions } from './features/log/stored/stored-log.ts';
export type {
  FoundEntry,
  LogBound,
  LogChange,
  LogEntry,
  LogIndex,
  LogKeeping,
  LogPage,
  LogStore,
  LogWrite,
  SchoolEntries,
  WrittenEntries,
} from './records/log.ts';
export type { EventsSince, StoredLog, WrittenEvents } from './records/stored-log.ts';
