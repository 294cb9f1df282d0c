import { isIP } from 'node:net';
import { isMetadataDocumentId } from '../../lib/protocol/client-id.ts';
import { plainHost, uriCharacters } from '../../lib/protocol/redirect-uri.ts';

const maxUrlLength = 1000;

/** Names that are not in public DNS. RFC 6761, RFC 6762, RFC 8375 and ICANN's `.internal`. */
const privateName = /(?:^|\.)(?:localhost|local|internal|home\.arpa|onion)$/;

/**
 * What is wrong with the URL of a metadata document, as words that follow `client_id`, or `undefined`. A URL must be in
 * its normalized form, so that string comparison is enough. draft-ietf-oauth-client-id-metadata-document section 3.
 */
export function checkDocumentUrl(clientId: string): string | undefined {
  if (clientId.length > maxUrlLength) return `is longer than ${maxUrlLength} characters`;
  if (!isMetadataDocumentId(clientId)) return 'does not start with https://';
  if (clientId.includes('#')) return 'has a fragment';
  if (!uriCharacters.test(clientId)) return 'has a character that a URL must not have, or must write percent-encoded';
  const url = URL.parse(clientId);
  if (url === null) return 'is not a URL';
  if (url.username !== '' || url.password !== '' || /^https:\/\/[^/?]*@/.test(clientId)) {
    return 'has a user name or password';
  }
  if (!plainHost.test(url.hostname)) return 'has a host that is not a plain domain name or address';
  if (url.pathname === '/') return 'has no path';
  if (url.pathname.includes('//')) return 'has an empty path segment';
  if (/%(?:2e|2f|5c|00)/i.test(clientId)) return 'has a percent-encoded dot, slash or backslash';
  if (clientId.includes('?') && url.search === '') return 'has an empty query';
  return clientId === url.href ? undefined : 'is not in its plain form';
}

/** Whether the host is a public DNS name at the default port. */
export function isOpenHost(url: URL): boolean {
  const { hostname, port } = url;
  if (port !== '' || hostname.startsWith('[') || isIP(hostname) !== 0) return false;
  return hostname.includes('.') && !privateName.test(hostname);
}

/** What `*` stands for in the pattern of a document's URL: one segment of the path. */
const wildcard = '([A-Za-z0-9_-]{1,128})';

/**
 * What is wrong with the URL of a metadata document or a pattern of such URLs, as words that follow `must`, or `undefined`.
 * `*` stands for one segment of the path, never for a part of the host.
 */
export function checkDocumentPattern(pattern: string): string | undefined {
  const [path = '', ...query] = pattern.split('?');
  // The two slashes before a host are not the start of a segment.
  const example = [path.replaceAll(/(?<=[^/])\/\*(?=\/|$)/g, '/a'), ...query].join('?');
  const wrong = example.includes('*') ? 'has a * that is not a segment of the path' : checkDocumentUrl(example);
  return wrong === undefined ? undefined : `be the URL of a metadata document or a pattern of one, but it ${wrong}`;
}

/** Matches the URLs that a checked pattern stands for. */
export function documentPattern(pattern: string): RegExp {
  return new RegExp(`^${pattern.split('*').map(escaped).join(wildcard)}$`);
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
