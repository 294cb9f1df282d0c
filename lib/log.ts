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
export type { StoredLog } from './records/stored-log.ts';
