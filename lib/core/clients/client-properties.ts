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
