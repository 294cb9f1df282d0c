import type { Apps } from '../../../core/apps/apps.ts';
import { targetOf } from '../../../core/apps/named-app.ts';
import { ruleTarget, targetName } from '../../../core/access/school-rules.ts';
import { decidedIn } from '../../../core/access/rule-version.ts';
import { allowedPersonId, allowedPersonVersion, removeAllowedPerson } from '../../../core/access/allowed-people.ts';
import { endGrants } from '../../../core/grants/changes.ts';
import { epochSeconds } from '../../../kernel/clock.ts';
import { grantIdOf, serializeRecord } from '../../../records/codec.ts';
import { type AppsOptions, fallbackRule } from './listed-apps.ts';
import { allClients, checkTarget, tell } from './rule-change.ts';
import { decisionIn } from './seen-version.ts';
import { administrator, checkVersion, readRule } from './stored-rule.ts';

/** Lets people connect an app one by one. */
export function allowedPeopleMethods(
  options: AppsOptions,
): Pick<Apps, 'allowPerson' | 'resetPerson' | 'allowedPeople'> {
  const { store } = options;
  return {
    async allowPerson(site, named, memberId, { version, by, note } = {}) {
      const target = targetOf(named);
      await checkTarget(options, site, target);
      const { app } = await fallbackRule(options, site, target);
      const seen = { target, app, version: decisionIn(version) };
      await checkVersion(store, site.id, seen, await readRule(store, site.id, target));
      const of = 'clientId' in target ? { client_id: target.clientId } : { app: target.app };
      const record = serializeRecord('AllowedPerson', { ...of, member_id: memberId, at: epochSeconds(), by, note });
      await store.save(site.id, {
        kind: 'AllowedPerson',
        id: allowedPersonId(target, memberId),
        record,
        listed: true,
      });
      tell(options, site, target, { reason: 'person_allowed', by, memberId, app });
    },
    async resetPerson(site, named, memberId, { version, by } = {}) {
      const target = targetOf(named);
      if (!(await removeAllowedPerson(store, site.id, { target, memberId, version })))
        return { ended: 0, atRefresh: 0 };
      const { app } = await fallbackRule(options, site, target);
      tell(options, site, target, { reason: 'person_reset', by, memberId, app });
      const details = { actor: administrator(by), reason: 'rule_changed', memberId, app } as const;
      let ended = 0;
      for (const clientId of await allClients(options, site, target)) {
        const filter = { memberId, grantId: grantIdOf(memberId, clientId) };
        ended += await endGrants(options, site.id, filter, { ...details, clientId });
      }
      return { ended, atRefresh: 0 };
    },
    async allowedPeople(site, named) {
      const target = targetOf(named);
      const all = await store.list(site.id, 'AllowedPerson');
      const ofTarget = all.filter((each) => targetName(ruleTarget(each)) === targetName(target));
      if ('app' in target && ofTarget.length === 0) await options.rules.apps.check(site.id, target.app);
      return ofTarget
        .map((each) => ({ memberId: each.member_id, version: allowedPersonVersion(each), ...decidedIn(each) }))
        .sort((a, b) => b.at - a.at || a.memberId.localeCompare(b.memberId));
    },
  };
}
