import { redisStore } from '../../../adapters/redis/index.ts';
import { startSchools } from '../../helpers/schools.ts';
import { harbourSite } from '../../helpers/sites.ts';
import { connectTo } from './campus.ts';
import { ceaseFire, fire } from './fire.ts';
import { laterStore } from './later-store.ts';
import { deadline, type PeerOrder, type PeerStart } from './peer.ts';
import { withStoppedClock } from './stopped-clock.ts';

/** Another process of the same platform: it serves the same origin, and sends requests to itself on order. */
async function main({ redisPort, origin, keys, limits, now, isLater = false }: PeerStart): Promise<void> {
  if (now !== undefined) Date.now = () => now;
  const client = connectTo(redisPort);
  const own = redisStore(client, { deadline });
  const store = now === undefined ? own : withStoppedClock(own, now);
  const site = harbourSite(origin);
  const schools = await startSchools({
    campus: { store: isLater ? laterStore(store) : store, keys, ...(limits && { limits }) },
    platform: { findSite: (requested) => (requested === origin ? site : undefined) },
  });
  const port = Number(new URL(schools.summit).port);
  process.on('message', ({ shot, count }: PeerOrder) => {
    void fire(port, origin, shot, count).then((hits) => process.send?.({ hits }));
  });
  process.once('disconnect', () => {
    ceaseFire();
    client.disconnect();
    void schools.close();
  });
  process.send?.({ ready: true });
}

process.once('message', (start: PeerStart) => void main(start));
