/** What the consent page says where nobody is sent back to an address: where it goes on, and warnings. */
export const deviceElsewhere = {
  place: ['consent.device', 'consent.device.own'],
  warnings: ['device.warn', 'device.warn.sent'],
} as const;

/** The name of its pages, for a template of the host. */
export type DevicePageName = 'device';
