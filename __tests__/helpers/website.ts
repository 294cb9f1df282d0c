import { get } from 'node:http';

export interface WebsiteAnswer {
  readonly status: number;
  readonly location: string;
  readonly user: string;
  readonly text: string;
}

/** A browser at a website that is no school: with cookies, and with the headers of a navigation, which some software wants. */
export function createVisitor(origin: string): (address: string) => Promise<WebsiteAnswer> {
  const cookies = new Map<string, string>();
  return (address) =>
    new Promise((resolve, reject) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', cookie };
      get(new URL(address, origin), { headers }, (response) => {
        for (const set of response.headers['set-cookie'] ?? []) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => (text += part));
        response.on('error', reject);
        response.on('end', () => {
          const { location = '', 'x-user': user } = response.headers;
          resolve({ status: response.statusCode ?? 0, location, user: String(user ?? ''), text });
        });
      }).on('error', reject);
    });
}
