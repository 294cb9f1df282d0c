import type { FeatureExamples } from '../feature-examples.ts';
import { clients, people } from '../../pages/example-clients.ts';
import type { Message } from '../feature-examples.ts';
import type { PageBuilder } from '../../pages/kit/pages.ts';
import { deviceGrantType } from './grant.ts';
import { codePage, confirmDevicePage, type ConfirmPage, connectedDevicePage, refusedDevicePage } from './pages.ts';

function example(build: (page: ConfirmPage) => PageBuilder): Message {
  return (_ctx, site) =>
    build({
      site,
      member: people.member,
      switchAccountUrl: '#',
      action: '#',
      csrf: '',
      client: clients.ofMembers,
      code: 'WDJB-MJHT',
      userAgent: 'study-timer/2.1 (Linux)',
      address: '203.0.113.7',
    });
}

const messages: Readonly<Record<string, Message>> = {
  device: example((page) => codePage({ ...page, code: undefined })),
  'device-problem': example((page) => codePage({ ...page, problem: 'unknown' })),
  'device-confirm': example(confirmDevicePage),
  'device-connected': example((page) => connectedDevicePage(page, { clientName: page.client.clientName, seen: '#' })),
  'device-refused': example(refusedDevicePage),
};

/** Its pages in the gallery. */
export const deviceExamples: FeatureExamples = {
  messages,
  consents: {
    device: {
      more: () => ({ redirectUri: '', startPlaces: deviceGrantType.startsAt ? [deviceGrantType.startsAt] : [] }),
    },
  },
};
