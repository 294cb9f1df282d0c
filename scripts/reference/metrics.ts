import { metricTable } from '../../adapters/opentelemetry/metrics.ts';
import { code, type ReferenceEntry, type ReferencePage } from './page.ts';

/** The metrics and spans of `campus-oidc/opentelemetry`. */
export function metricsPage(): ReferencePage {
  const entries = Object.values(metricTable).map(({ name, type, unit, description, attributes }): ReferenceEntry => ({
    heading: code(name),
    facts: [type, code(unit)],
    text: [description, attributeText(attributes)].join('\n\n').trim(),
  }));
  return {
    file: 'docs/reference/metrics.md',
    title: 'Metrics and spans',
    about,
    sections: [
      { title: 'Metrics', about: aboutMetrics, entries },
      { title: 'Spans', about: aboutSpans, entries: spans },
    ],
  };
}

function attributeText(attributes: readonly string[]): string {
  return attributes.length === 0 ? '' : `Attributes: ${attributes.map(code).join(', ')}`;
}

const ofRequests = [...metricTable.requests.attributes, 'campus_oidc.site.id', 'campus_oidc.client.id'];
const ofCalls = attributeText(metricTable.store.attributes);

const spans: readonly ReferenceEntry[] = [
  {
    heading: code('{method} {route}'),
    facts: ['server, or internal below another span'],
    text: attributeText(ofRequests),
  },
  { heading: code('store.{method}'), facts: ['client'], text: ofCalls },
  { heading: code('platform.{method}'), facts: ['internal'], text: ofCalls },
  { heading: code('document.fetch'), facts: ['client'], text: ofCalls },
];

const about = `Look up what [OpenTelemetry](../operate/observability.md) gets. No metric or span contains a credential, a member, an address, the name of a client
or the text of an error. Schools and clients are unbounded, so only spans have them.`;

const aboutMetrics = `\`campus_oidc.outcome\` is \`ok\`, \`refused\` (a status from 400, or a redirect with an error) or \`failed\` (a status from 500). \`error.type\` is
the OAuth error code. A value that a caller can choose is \`_OTHER\` unless it is known. If an instrumentation of HTTP also measures
\`http.server.request.duration\`, look at the scope: this one is \`campus-oidc\`.`;

const aboutSpans = `Spans are children of the active span. \`campus_oidc.client.id\` is set once the client is found. For a metadata document it is \`document:\`
and the first 16 hexadecimal digits of the SHA-256 of its address. Concurrent requests can share one call of \`platform.findSite\` and one
fetch of a document: only the first one has the span.`;
