import type { MemberData } from '../../contracts/member-data.ts';
import type { Tool, ToolCall } from '../../contracts/tools.ts';
import { InvalidRequest } from '../../protocol/errors.ts';
import { listed, memberCall, type PageArguments, pageArguments, pageRequest, reading } from './listing.ts';
import { eventRegistration, purchase } from './nodes.ts';

/** The data of `myPurchases`. */
export type PurchaseData = Pick<MemberData, 'digitalProducts' | 'consultingServices' | 'eventRegistrations'>;

/** Arguments of `my_purchases`. */
export interface PurchaseArguments extends PageArguments {
  /** The kind to list; absent for the first page of each kind. */
  readonly kind?: 'digital_products' | 'consulting_services' | 'event_registrations' | undefined;
}

const kinds: ReadonlyMap<PurchaseArguments['kind'], keyof PurchaseData> = new Map([
  ['digital_products', 'digitalProducts'],
  ['consulting_services', 'consultingServices'],
  ['event_registrations', 'eventRegistrations'],
]);

/** The member's purchases and event registrations. Requires `account:read`. */
export function myPurchases(data: PurchaseData): Tool<PurchaseArguments> {
  const kind = {
    enum: [...kinds.keys()],
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
      const names = [...kinds].flatMap(([each, name]) => (only === undefined || each === only ? [name] : []));
      const pages = names.map(async (name) => [name, await pageOf(data, name, args, call)] as const);
      return { structuredContent: Object.fromEntries(await Promise.all(pages)) };
    },
  };
}

async function pageOf(
  data: PurchaseData,
  name: keyof PurchaseData,
  args: PageArguments,
  call: ToolCall,
): Promise<object> {
  const query = memberCall(call, pageRequest(args));
  const listing = { method: `data.${name}`, name: 'nodes' };
  return name === 'eventRegistrations'
    ? listed({ ...listing, node: eventRegistration }, args, await data[name](...query))
    : listed({ ...listing, node: purchase }, args, await data[name](...query));
}
