import { setImmediate } from 'node:timers/promises';
import { startSchools } from '../helpers/schools.ts';

/** A process all of whose listeners fail; prints the statuses of its responses and ends by itself. */
const schools = await startSchools();
const { events } = schools.campus;
for (const name of ['audit', 'fault'] as const) {
  events.on(name, (): unknown => Promise.reject(new Error(`async ${name} listener`)));
  events.on(name, () => {
    throw new Error(`sync ${name} listener`);
  });
  events.on(name, () => {
    throw Object.create(null);
  });
}
const statuses: number[] = [];
for (const url of [schools.harbour, schools.summit]) {
  const response = await fetch(`${url}/api/oauth/token`, { method: 'POST', body: new URLSearchParams() });
  statuses.push(response.status);
  await setImmediate();
}
await schools.close();
console.log(JSON.stringify(statuses));
