/** The texts of the pages on which a person enters a code, and where the consent page and the form of an application mention it. */
export const deviceTexts = {
  'consent.device': 'Goes on at',
  'consent.device.own': 'the device that shows the code',
  'form.device': 'People can connect it on another device',
  'form.device.hint':
    'For programs without a browser, such as a display or a terminal: they show a code, which people enter on their phone. They need no address above.',
  'device.title': 'Connect a device',
  'device.intro': 'Enter the code that your device shows, for example a computer in the lab or a terminal.',
  'device.code': 'Code',
  'device.code.hint': 'Eight letters. Capitals, spaces and hyphens don’t matter.',
  'device.continue': 'Continue',
  'device.problem.empty': 'Enter the code that your device shows.',
  'device.problem.unknown':
    'No device at {school} waits with this code. Check the letters; if they are right, the code has expired, so start again on the device.',
  'device.problem.used': 'This code has already been used. If you need another one, start again on the device.',
  'device.problem.form': 'This form was no longer valid. Enter the code again.',
  'device.confirm.title': 'Is this your device?',
  'device.confirm.intro': '{client} wants to use your account at {school} on another device.',
  'device.confirm.code': 'Code on the device',
  'device.confirm.client': 'Program',
  'device.confirm.agent': 'The device says it is',
  'device.confirm.address': 'It asks from the address',
  'device.confirm.unknown': 'not known',
  'device.warn': 'Continue only if you started this yourself, on a device in front of you.',
  'device.warn.sent':
    'If somebody sent you the code or the link, stop: that person would get access to your account. No school and no support team ever sends such a code.',
  'device.confirm.yes': 'Yes, the code on my device is {code}',
  'device.confirm.no': 'No, this isn’t my device',
  'device.done.title': 'Your device is connected',
  'device.done.text': '{client} now has access. You can close this page and go on at your device.',
  'device.denied.title': 'The device was not connected',
  'device.denied.text': 'It gets no access to your account. If you want to try again, start again on the device.',
};

/** What the consent page says where nobody is sent back to an address: where it goes on, and warnings. */
export const elsewhere = {
  place: ['consent.device', 'consent.device.own'],
  warnings: ['device.warn', 'device.warn.sent'],
} as const;

/** The name of its pages, for a template of the host. */
export type DevicePageName = 'device';
