import { form } from '../drills/requests.ts';
import { type Contender, countedRedis } from './contender.ts';
import { schoolsOnRedis } from './numbered-schools.ts';
import { formType, isPreparation, type TokenOrder } from './token-requests.ts';

/** Refreshes at so many schools in turn. Each connection is refreshed once, so a round needs new ones. */
export async function atSchools(count: number): Promise<Contender> {
  const { schools } = await schoolsOnRedis(count, countedRedis());
  const tell = async (message: object): Promise<TokenOrder> => {
    if (!isPreparation(message)) throw new Error(`cannot prepare ${JSON.stringify(message)}`);
    const from = schools.size;
    await schools.grow(from + message.count);
    const names = Array.from({ length: message.count }, (_, i) => schools.names(from + i));
    return {
      url: `http://127.0.0.1:${schools.port}/api/oauth/token`,
      method: 'POST',
      headers: formType,
      forms: names.map(({ refreshToken }) =>
        new URLSearchParams(form({ grant_type: 'refresh_token', refresh_token: refreshToken })).toString(),
      ),
      hosts: names.map(({ origin }) => new URL(origin).host),
      amount: message.count,
    };
  };
  return { place: {}, tell };
}
