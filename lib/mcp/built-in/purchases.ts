import type { MaybePromise } from '../../contracts/member.ts';
import type { MemberData, DataPage } from '../../contracts/member-data.ts';
import type { Tool, ToolCall } from '../../contracts/tools.ts';
import { InvalidRequest } from '../../protocol/errors.ts';
import { eventRegistration, purchase } from './nodes.ts';
import { listed, type PageArguments, pageArguments, pageRequest } from './paging.ts';
import { type Asked, memberCall, reading } from './reading.ts';

/** The data of `myPurchases`. */
export type PurchaseData = Pick<MemberData, 'digitalProducts' | 'consultingServices' | 'eventRegistrations'>;

/** Arguments of `my_purchases`. */
export interface PurchaseArguments extends PageArguments {
  readonly kind?: 'digital_products' | 'consulting_services' | 'event_registrations' | undefined;
}

/** Lists one kind of what can be bought. */
interface Lister {
  readonly kind: NonNullable<PurchaseArguments['kind']>;
  readonly name: keyof PurchaseData;
  readonly list: (data: PurchaseData, args: PageArguments, call: ToolCall) => Promise<object>;
}

const listers: readonly Lister[] = [
  lister('digital_products', 'digitalProducts', (data, asked) => data.digitalProducts(...asked), purchase),
  lister('consulting_services', 'consultingServices', (data, asked) => data.consultingServices(...asked), purchase),
  lister(
    'event_registrations',
    'eventRegistrations',
    (data, asked) => data.eventRegistrations(...asked),
    eventRegistration,
  ),
];

/** What the member bought and registered for. Needs `account:read`. */
export function myPurchases(data: PurchaseData): Tool<PurchaseArguments> {
  const kind = {
    enum: listers.map((each) => each.kind),
    description: 'One kind alone; leave it out for the first page of each.',
  };
  return {
    name: 'my_purchases',
    title: 'My purchases',
    description: 'Lists digital products, consulting services and event registrations that the person has here.',
    inputSchema: { ...pageArguments, properties: { kind, ...pageArguments.properties } },
    ...reading,
    run: async ({ kind: only, ...args }, call) => {
      if (only === undefined && args.after !== undefined)
        throw new InvalidRequest('after needs kind: whose next page?');
      const asked = listers.filter((each) => only === undefined || each.kind === only);
      const answers = asked.map(async ({ name, list }) => [name, await list(data, args, call)] as const);
      return { structuredContent: Object.fromEntries(await Promise.all(answers)) };
    },
  };
}

function lister<T>(
  kind: Lister['kind'],
  name: Lister['name'],
  ask: (data: PurchaseData, asked: Asked) => MaybePromise<DataPage<T>>,
  node: (row: T) => object,
): Lister {
  const listing = { method: `data.${name}`, name: 'nodes', node };
  return {
    kind,
    name,
    list: async (data, args, call) => listed(listing, args, await ask(data, memberCall(call, pageRequest(args)))),
  };
}
