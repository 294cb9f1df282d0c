import { type FeatureClientProperties, featureProperties } from '../../features/options.ts';

/** The name of a property of clients that belongs to a feature. */
export type ClientProperty = keyof FeatureClientProperties;

type NamedProperty = (typeof featureProperties)[ClientProperty] & { readonly member: ClientProperty };

function isProperty(name: string): name is ClientProperty {
  return Object.hasOwn(featureProperties, name);
}

/** Every property of clients that belongs to a feature. */
export const clientProperties: readonly NamedProperty[] = Object.keys(featureProperties).flatMap((member) =>
  isProperty(member) ? [{ ...featureProperties[member], member }] : [],
);

/** Those that a client has. */
export function propertiesGiven(client: FeatureClientProperties): readonly NamedProperty[] {
  return clientProperties.filter(({ member }) => client[member] !== undefined);
}

/** The property of a client with which it cannot have a scope. */
export function unsuited(client: FeatureClientProperties, scope: string): ClientProperty | undefined {
  return propertiesGiven(client).find(({ scopes }) => scopes?.includes(scope) === false)?.member;
}

/** Whether people must allow a client again that had the first properties, and now has the second. */
export function needsNewConsent(before: FeatureClientProperties, after: FeatureClientProperties): boolean {
  return clientProperties.some(({ member, asksAgain }) => asksAgain === true && before[member] !== after[member]);
}
