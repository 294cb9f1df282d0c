import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readPage } from '../helpers/page.ts';
import { plugins, type Schools, startSchools } from '../helpers/schools.ts';

const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const get = (address: string, accept: string, more: Record<string, string> = {}): Promise<Response> =>
  fetch(address, { headers: { accept, ...more } });

let schools: Schools;
beforeAll(async () => {
  schools = await startSchools({
    campus: {
      registration: [
        {
          name: 'hostile guide',
          decide: () => undefined,
          guide: {
            text: 'Rules: <script>alert(1)</script> [a link](javascript:alert(1)) ![tracker](https://evil.example/pixel.gif) [fine](https://school.example/help)\n\n## Errors\n\n## 規則\n\n## 政策',
          },
        },
      ],
    },
    memberApi: { graphiql: true, renderGraphiQL: () => '<!doctype html>' },
    mcp: {
      tools: [
        {
          name: 'search',
          title: '<b>Search</b>',
          description: 'Finds courses.',
          inputSchema: { type: 'object' },
          access: { scopes: ['courses:read'] },
          run: () => 'nothing',
        },
        {
          name: 'own',
          description: 'Your own notifications.',
          inputSchema: { type: 'object' },
          access: { scopes: ['account:read'] },
          run: () => 'nothing',
        },
      ],
    },
  });
});
afterAll(() => schools.close());

describe('/auth.md', () => {
  test.each(['*/*', 'text/markdown', 'text/markdown, text/html;q=0.9, */*;q=0.1', 'application/json', 'text/plain'])(
    'is Markdown for %s',
    async (accept) => {
      const response = await get(`${schools.harbour}/auth.md`, accept);
      expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(response.headers.get('vary')).toContain('Accept');
      expect(await response.text()).toMatch(/^# Connect to Harbour School\n/);
    },
  );

  test('is a page for a browser, with contents that lead to its sections, and links', async () => {
    const response = await get(`${schools.harbour}/auth.md`, browserAccept);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('vary')).toContain('Accept');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await response.text();
    const page = readPage(text);
    const hrefs = page.getAllByRole('link').map(({ href }) => href);
    const targets = hrefs.filter((href) => href.startsWith('#')).map((href) => href.slice(1));
    expect(targets.length).toBeGreaterThan(8);
    expect(new Set(targets).size).toBe(targets.length);
    expect(targets.filter((id) => page.getById(id)?.role !== 'heading')).toEqual([]);
    expect(page.getAllByRole('heading', { level: 1 })).toHaveLength(1);
    expect(hrefs).toEqual(expect.arrayContaining(['/openapi.json', '/member/graphql', '/mcp']));
  });

  test('shows markup as text, links to no script, and loads no image', async () => {
    const text = await (await get(`${schools.harbour}/auth.md`, browserAccept)).text();
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).not.toMatch(/<script|javascript:|<img|pixel\.gif/);
    expect(readPage(text).getByRole('link', { name: 'fine' }).href).toBe('https://school.example/help');
  });

  test('a cached copy is current for one format only', async () => {
    const markdown = await get(`${schools.harbour}/auth.md`, '*/*');
    const known = { 'if-none-match': markdown.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    expect((await get(`${schools.harbour}/auth.md`, '*/*', known)).status).toBe(304);
    expect((await get(`${schools.harbour}/auth.md`, browserAccept, known)).status).toBe(200);
  });

  test('both formats have the same headings, commands and rows', async () => {
    const [markdown = '', html = ''] = await Promise.all(
      ['*/*', browserAccept].map(async (accept) => (await get(`${schools.harbour}/auth.md`, accept)).text()),
    );
    const page = readPage(html);
    const count = (pattern: RegExp): number => markdown.match(pattern)?.length ?? 0;
    const sections = page.getAllByRole('heading').filter((heading) => heading.attribute('id') !== undefined);
    // The host's text has two more headings, which are text on the page; the page has its title and its contents.
    expect(sections).toHaveLength(count(/^##/gm) - 3 + 1);
    expect(html.match(/<pre /g)).toHaveLength(count(/^```sh$/gm));
    expect(page.getAllByRole('row')).toHaveLength(count(/^\|/gm) - count(/^\| ---/gm));
  });
});

describe('an address of the tools', () => {
  test.each(['/mcp', '/mcp/operator', '/mcp/member'])('%s is a page for a browser', async (opened) => {
    // For an app that the page does not know: all others get the address together with what they need besides.
    const response = await get(`${schools.harbour}${opened}?app=other`, browserAccept);
    expect(response.status).toBe(200);
    expect(response.headers.get('vary')).toContain('Accept');
    const page = readPage(await response.text());
    expect(page.getById('address')?.value).toBe(`${schools.harbour}${opened}`);
    // Each tool where a client that has the address can be allowed it.
    expect([page.text.includes('<b>Search</b>'), page.text.includes('Your own notifications.')]).toEqual([
      opened !== '/mcp/member',
      opened !== '/mcp/operator',
    ]);
  });

  test.each(['text/event-stream', '*/*', 'application/json, text/event-stream'])(
    'gives 405 for GET with %s',
    async (accept) => {
      const response = await get(`${schools.harbour}/mcp`, accept);
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST, OPTIONS');
      expect(response.headers.get('vary')).toContain('Accept');
    },
  );

  test('links operators to their applications only where there are some', async () => {
    const page = async (origin: string): Promise<string> =>
      (await get(`${origin}/mcp/operator?app=libre-chat`, browserAccept)).text();
    expect(await page(schools.harbour)).toContain('/developers/oauth-applications');
    const without = await startSchools({ ...plugins, campus: { pages: { developers: false } } });
    expect(await page(without.harbour)).not.toContain('>Developers<');
    await without.close();
  });
});
