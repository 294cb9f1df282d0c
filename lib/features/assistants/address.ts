import type { Site } from '../../host/school-platform.ts';
import type { McpEndpoint } from '../../plugin-contract/plugin.ts';
import { copyField } from '../../pages/kit/copy.ts';
import { html, type Html, type Translator } from '../../pages/kit/markup.ts';
import { addressOf } from '../../pages/set-up/steps.ts';
import { qrCode } from './qr-code.ts';

/** What an app is given, to copy or to photograph. */
export function addressField(t: Translator, site: Site, endpoint: McpEndpoint): Html {
  const address = addressOf(site, endpoint);
  const label = endpoint.anonymous ? 'anyone' : endpoint.audience;
  return html`${copyField(t, 'address', `assistants.address.${label}`, address)}
<details><summary>${t.html('assistants.qr')}</summary>${qrCode(address, t.text('assistants.qr.alt'))}</details>`;
}
