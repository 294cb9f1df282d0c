import { type FeatureClientProperties, featureProperties } from '../../features/options.ts';
import type { ClientPropertyRow } from '../../features/contract.ts';

/** The name of a property of clients that belongs to a feature. */
export type ClientProperty = keyof FeatureClientProperties;

interface NamedProperty extends ClientPropertyRow {
  readonly member: ClientProperty;
}

function isProperty(name: string): name is ClientProperty {
  return Object.hasOwn(featureProperties, name);
}

const clientProperties: readonly NamedProperty[] = Object.entries<ClientPropertyRow>(featureProperties).flatMap(
  ([member, row]) => (isProperty(member) ? [{ ...row, member }] : []),
);

/** Those that a client has. */
export function propertiesGiven(client: FeatureClientProperties): readonly NamedProperty[] {
  return clientProperties.filter(({ member }) => client[member] !== undefined);
}

/** Whether a client with these properties can have a scope. */
export function suitsProperties(client: FeatureClientProperties, scope: string): boolean {
  return propertiesGiven(client).every(({ scopes }) => scopes?.includes(scope) !== false);
}

/** Whether people must allow a client again that had the first properties, and now has the second. */
export function needsNewConsent(before: FeatureClientProperties, after: FeatureClientProperties): boolean {
  return clientProperties.some(({ member, asksAgain }) => asksAgain === true && before[member] !== after[member]);
}
