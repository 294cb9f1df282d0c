import { expect, test } from '@jest/globals';
import { findResource } from '../../lib/core/scopes/protected-resources.ts';

const resources = ['', '/mcp', '/mcp/member'].map((path) => ({ path, scopes: [] }));
const origins = ['https://harbour.example', 'http://localhost:3000', 'https://[2001:db8::a]:8443'];
const found = (address: string): string | undefined => findResource(resources, origins, address)?.path;

test.each([
  ['https://harbour.example', ''],
  ['https://harbour.example/', ''],
  ['HTTPS://Harbour.EXAMPLE', ''],
  ['https://harbour.example:443', ''],
  ['https://harbour.example:443/', ''],
  ['https://harbour.example:/mcp', '/mcp'],
  ['Https://HARBOUR.example:443/mcp/', '/mcp'],
  ['https://harbour.example/mcp/member/', '/mcp/member'],
  ['http://LOCALHOST:3000/mcp', '/mcp'],
  ['https://[2001:DB8::A]:8443/mcp', '/mcp'],
])('%s is the resource %j', (address, path) => {
  expect(found(address)).toBe(path);
});

test.each([
  'http://harbour.example',
  'https://harbour.example:80',
  'https://harbour.example:0443',
  'https://harbour.example:443443',
  'https://harbour.example:443:443',
  'https://harbour.example.',
  'https://a@harbour.example',
  'https://harbour.example@evil.example',
  'https://harbour.example:443@evil.example',
  'https://harbour.example#',
  'https://harbour.example?',
  'https://harbour.example//',
  'https://harbour.example/MCP',
  'https://harbour.example/mcp//',
  'https://harbour.example/%6dcp',
  'https://harbour.example/./mcp',
  'https://h%61rbour.example',
  'https:harbour.example',
  'https:/harbour.example',
  'https:\\\\harbour.example',
  'https:///harbour.example',
  ' https://harbour.example',
  'https://harbour.example ',
  'https://harbour\t.example',
  'https://ｈarbour.example',
  'http://localhost\u212A:3000',
  'http://localhost',
  'http://localhost:80',
  'http://127.0.0.1:3000',
  'http://[::1]:3000',
  'https://2001:db8::a:8443',
  'wss://harbour.example',
  '//harbour.example',
  'harbour.example',
  '',
])('%j is none', (address) => {
  expect(found(address)).toBeUndefined();
});
