import { read, recorded, survey } from '../sources.ts';
import type { SourcedVendor } from './vendor-platform.ts';

/** Assistants and platforms for automation. */
export const assistants: readonly SourcedVendor[] = [
  {
    clientId: 'claude',
    clientName: 'Claude',
    names: ['Claude'],
    redirectUris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    clientUri: 'https://claude.ai',
    sources: [
      read('https://support.claude.com/en/articles/11503834-building-custom-connectors-via-remote-mcp-servers'),
      read('https://claude.com/docs/connectors/building/authentication'),
    ],
  },
  {
    clientId: 'chatgpt',
    clientName: 'ChatGPT',
    names: ['ChatGPT'],
    anyName: true,
    // It uses the first where discovery announces `iss` in the response, as here, and otherwise one for each connection.
    redirectUris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    callbackPrefix: 'https://chatgpt.com/connector/oauth/',
    clientUri: 'https://chatgpt.com',
    sources: [read('https://developers.openai.com/plugins/build/auth')],
  },
  {
    // It asks for a secret; what it does with a response without one is not recorded.
    clientName: 'Copilot Studio',
    names: ['Copilot Studio', 'Microsoft Copilot Studio'],
    anyName: true,
    callbackPrefix: 'https://global.consent.azure-apim.net/redirect/',
    clientUri: 'https://copilotstudio.microsoft.com',
    sources: [
      read('https://learn.microsoft.com/en-us/microsoft-copilot-studio/mcp-add-existing-server-to-agent'),
      read('https://learn.microsoft.com/en-us/connectors/custom-connectors/azure-active-directory-authentication'),
      recorded('https://github.com/pantalytics/odoo-mcp-pro/pull/57'),
    ],
  },
  {
    clientId: 'grok',
    clientName: 'Grok',
    names: ['Grok'],
    redirectUris: [
      'https://grok.com/connectors-oauth-exchange-code/',
      'https://console.x.ai/connectors-oauth-exchange-code/',
    ],
    clientUri: 'https://grok.com',
    sources: [survey, recorded('https://github.com/erp-mafia/accounted/pull/2158')],
  },
  {
    clientId: 'perplexity',
    clientName: 'Perplexity',
    names: ['Perplexity'],
    anyName: true,
    redirectUris: [
      'https://www.perplexity.ai/rest/connections/oauth_callback',
      'https://enterprise.perplexity.ai/rest/connections/oauth_callback',
    ],
    clientUri: 'https://www.perplexity.ai',
    sources: [survey],
  },
  {
    clientId: 'le-chat',
    clientName: 'Le Chat',
    names: ['Le Chat'],
    anyName: true,
    redirectUris: ['https://callback.mistral.ai/v1/integrations_auth/oauth2_callback'],
    clientUri: 'https://mistral.ai',
    sources: [survey, recorded('https://github.com/pantalytics/odoo-mcp-pro/pull/21')],
  },
  {
    clientId: 'slack',
    clientName: 'Slack',
    names: ['Slack'],
    redirectUris: ['https://oauth2.slack.com/external/auth/callback'],
    clientUri: 'https://slack.com',
    sources: [read('https://docs.slack.dev/ai/slackbot-mcp-client')],
  },
  {
    clientId: 'dust',
    clientName: 'Dust',
    names: ['Dust'],
    // Some of its versions stop at a response without a secret.
    redirectUris: [
      'https://dust.tt/oauth/mcp/finalize',
      'https://app.dust.tt/oauth/mcp/finalize',
      'https://eu.dust.tt/oauth/mcp/finalize',
    ],
    clientUri: 'https://dust.tt',
    sources: [read('https://github.com/dust-tt/dust/blob/main/front/lib/actions/mcp_oauth_provider.ts')],
  },
  {
    clientId: 'n8n-cloud',
    clientName: 'n8n Cloud',
    // It registers as `n8n`, as every n8n does. One of your own needs an application that an operator creates.
    names: ['n8n Cloud'],
    anyName: true,
    redirectUris: ['https://oauth.n8n.cloud/oauth2/callback'],
    clientUri: 'https://n8n.io',
    sources: [recorded('https://github.com/n8n-io/n8n/issues/23712')],
  },
  {
    clientId: 'amazon-quick',
    clientName: 'Amazon Quick',
    names: ['Amazon Quick'],
    anyName: true,
    // One for each region.
    redirectUris: [
      'https://us-east-1.quicksight.aws.amazon.com/sn/oauthcallback',
      'https://us-west-2.quicksight.aws.amazon.com/sn/oauthcallback',
      'https://eu-west-1.quicksight.aws.amazon.com/sn/oauthcallback',
      'https://eu-west-2.quicksight.aws.amazon.com/sn/oauthcallback',
      'https://ap-southeast-2.quicksight.aws.amazon.com/sn/oauthcallback',
    ],
    clientUri: 'https://aws.amazon.com/quick',
    sources: [read('https://docs.aws.amazon.com/quick/latest/userguide/mcp-integration.html')],
  },
];
