import { deviceRecords } from './device/records.ts';
import { servicesRecords } from './services/records.ts';

/** The kinds of record of features. */
export const featureRecords: typeof servicesRecords & typeof deviceRecords = { ...servicesRecords, ...deviceRecords };
