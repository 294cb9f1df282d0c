import { read, recorded } from '../../lib/core/known-apps/sources.ts';
import { developerTools } from './developer-tools.ts';
import { manyClients, oneClient, type SourcedVendor } from './vendor-platform.ts';

/**
 * Well-known vendors for `vendorPlatforms`. Use the list whole or filtered. It has apps with a fixed `https:` callback or a private scheme,
 * some with loopback addresses in addition. Apps with only loopback addresses, such as Claude Code, Codex or Zed, need no row:
 * `loopbackClients` serves them. Every row has `sources`. Vendors can change callbacks, so compare a row with its sources before you depend
 * on it. Rows with `anyName` are for vendors whose registered name is unknown. Their `names` has the name of the product.
 */
export const wellKnownVendors: readonly SourcedVendor[] = [
  oneClient('claude', ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'], {
    sources: [
      read('https://support.claude.com/en/articles/11503834-building-custom-connectors-via-remote-mcp-servers'),
    ],
  }),
  // It uses the first where discovery announces `iss` in the response, as here, and otherwise one for each connection.
  oneClient('chatgpt', ['https://chatgpt.com/connector_platform_oauth_redirect'], {
    callbackPrefix: 'https://chatgpt.com/connector/oauth/',
    anyName: true,
  }),
  // It asks for a secret; what it does with a response without one is not recorded.
  manyClients('copilot-studio', 'https://global.consent.azure-apim.net/redirect/', {
    anyName: true,
    sources: [
      read('https://learn.microsoft.com/en-us/connectors/custom-connectors/azure-active-directory-authentication'),
      recorded('https://github.com/pantalytics/odoo-mcp-pro/pull/57'),
    ],
  }),
  // One callback for the plugins of everyone; most of them have a secret, and then need an application.
  oneClient('microsoft-365-copilot', ['https://teams.microsoft.com/api/platform/v1.0/oAuthRedirect'], {
    anyName: true,
  }),
  // Its connected apps. Other addresses of this host are those of projects at Google, whose ids have no `_`.
  manyClients('gemini', 'https://oauth-redirect.googleusercontent.com/r/user_bound_custom-mcp-', {
    anyName: true,
    sources: [recorded('https://github.com/Swiggy/swiggy-mcp-server-manifest/issues/78')],
  }),
  oneClient(
    'grok',
    ['https://grok.com/connectors-oauth-exchange-code/', 'https://console.x.ai/connectors-oauth-exchange-code/'],
    { sources: [recorded('https://github.com/erp-mafia/accounted/pull/2158')] },
  ),
  oneClient(
    'perplexity',
    [
      'https://www.perplexity.ai/rest/connections/oauth_callback',
      'https://enterprise.perplexity.ai/rest/connections/oauth_callback',
    ],
    { anyName: true },
  ),
  oneClient('le-chat', ['https://callback.mistral.ai/v1/integrations_auth/oauth2_callback'], {
    anyName: true,
    sources: [recorded('https://github.com/pantalytics/odoo-mcp-pro/pull/21')],
  }),
  oneClient('slack', ['https://oauth2.slack.com/external/auth/callback']),
  // Some of its versions stop at a response without a secret.
  oneClient('dust', [
    'https://dust.tt/oauth/mcp/finalize',
    'https://app.dust.tt/oauth/mcp/finalize',
    'https://eu.dust.tt/oauth/mcp/finalize',
  ]),
  // It registers as `n8n`, as every n8n does. One of your own needs an application that an administrator creates.
  oneClient('n8n-cloud', ['https://oauth.n8n.cloud/oauth2/callback'], { anyName: true }),
  // One for each region.
  oneClient(
    'amazon-quick',
    ['us-east-1', 'us-west-2', 'eu-west-1', 'eu-west-2', 'ap-southeast-2'].map(
      (region) => `https://${region}.quicksight.aws.amazon.com/sn/oauthcallback`,
    ),
    { anyName: true },
  ),
  ...developerTools,
];
