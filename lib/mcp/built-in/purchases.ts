import type { MaybePromise } from '../../contracts/member.ts';
import type { MemberData, DataPage } from '../../contracts/member-data.ts';
import type { Tool, ToolCall } from '../../contracts/tools.ts';
import { InvalidRequest } from '../../protocol/errors.ts';
import {
  listed,
  type MemberCall,
  memberCall,
  type PageArguments,
  pageArguments,
  pageRequest,
  reading,
} from './listing.ts';
import { eventRegistration, purchase } from './nodes.ts';

/** The data of `myPurchases`. */
export type PurchaseData = Pick<MemberData, 'digitalProducts' | 'consultingServices' | 'eventRegistrations'>;

/** Arguments of `my_purchases`. */
export interface PurchaseArguments extends PageArguments {
  /** The kind to list; absent for the first page of each kind. */
  readonly kind?: 'digital_products' | 'consulting_services' | 'event_registrations' | undefined;
}

interface Lister {
  readonly kind: NonNullable<PurchaseArguments['kind']>;
  readonly name: keyof PurchaseData;
  readonly list: (data: PurchaseData, args: PageArguments, call: ToolCall) => Promise<object>;
}

const listers: readonly Lister[] = [
  lister('digital_products', 'digitalProducts', (data, call) => data.digitalProducts(...call), purchase),
  lister('consulting_services', 'consultingServices', (data, call) => data.consultingServices(...call), purchase),
  lister(
    'event_registrations',
    'eventRegistrations',
    (data, call) => data.eventRegistrations(...call),
    eventRegistration,
  ),
];

/** The member's purchases and event registrations. Requires `account:read`. */
export function myPurchases(data: PurchaseData): Tool<PurchaseArguments> {
  const kind = {
    enum: listers.map((each) => each.kind),
    description: 'The kind to list; omit it for the first page of each kind.',
  };
  return {
    name: 'my_purchases',
    title: 'My purchases',
    description:
      'Lists the digital products, consulting services and event registrations of the person at this school.',
    inputSchema: { ...pageArguments, properties: { kind, ...pageArguments.properties } },
    ...reading,
    run: async ({ kind: only, ...args }, call) => {
      if (only === undefined && args.after !== undefined)
        throw new InvalidRequest('after requires kind, since each kind has its own pages');
      const asked = listers.filter((each) => only === undefined || each.kind === only);
      const pages = asked.map(async ({ name, list }) => [name, await list(data, args, call)] as const);
      return { structuredContent: Object.fromEntries(await Promise.all(pages)) };
    },
  };
}

function lister<T>(
  kind: Lister['kind'],
  name: Lister['name'],
  ask: (data: PurchaseData, call: MemberCall) => MaybePromise<DataPage<T>>,
  node: (row: T) => object,
): Lister {
  const listing = { method: `data.${name}`, name: 'nodes', node };
  return {
    kind,
    name,
    list: async (data, args, call) => listed(listing, args, await ask(data, memberCall(call, pageRequest(args)))),
  };
}
