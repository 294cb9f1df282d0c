import type { FeatureExamples } from '../feature-examples.ts';
import { clients, people } from '../../pages/example-clients.ts';
import type { Message } from '../feature-examples.ts';
import { logoutDonePage, logoutPage } from './pages.ts';

const messages: Readonly<Record<string, Message>> = {
  logout: (_ctx, site) =>
    logoutPage({
      site,
      member: people.member,
      switchAccountUrl: '#',
      client: clients.ofMembers.clientName,
      csrf: '',
      fields: {},
    }),
  'logout-done': (_ctx, site) => logoutDonePage(site, 'done'),
  'logout-stays': (_ctx, site) => logoutDonePage(site, 'stays'),
};

/** Its pages in the gallery. */
export const logoutExamples: FeatureExamples = { messages, consents: {} };
