import type { ListedKind } from '../../../lib/records/record.ts';

/** A record, as a release has written it. */
interface EarlierRecord {
  readonly kind: ListedKind;
  readonly id: string;
  readonly record: object;
}

/** What two earlier releases have stored of the same decisions, by what they stored. The first knows no approval for each person. */
export const earlierRecords: Readonly<Record<string, readonly EarlierRecord[]>> = {
  'reviews and rules apart': [
    {
      kind: 'DocumentReview',
      id: '9iB_b6A6slPa_DDGHMq56MF4D6wLQ9XVCAeYTTTYoW8:shown',
      record: {
        v: 1,
        at: 1790000000,
        client_id: 'https://docs.example/approved.json',
        digest: 'Bb4Vr9-Q9NZxsJtnqnzo-XeDUc0tkWHi6_sBo4v6tUg',
        client_name: 'Doc Client',
        redirect_uris: ['http://localhost/callback'],
      },
    },
    {
      kind: 'DocumentReview',
      id: 'sayPgRQ0ut9jB6rNlh6CMeGmhqoA2_jKihdimtw0CZA:shown',
      record: {
        v: 1,
        at: 1790000000,
        client_id: 'https://docs.example/rejected.json',
        digest: 'Bb4Vr9-Q9NZxsJtnqnzo-XeDUc0tkWHi6_sBo4v6tUg',
        client_name: 'Doc Client',
        redirect_uris: ['http://localhost/callback'],
      },
    },
    {
      kind: 'DocumentReview',
      id: 'L9PUj_kKgllF_b-N9A24sFbUVBp4ZUs00Mzk-mBxbjs:shown',
      record: {
        v: 1,
        at: 1790000000,
        client_id: 'https://docs.example/waiting.json',
        digest: 'Bb4Vr9-Q9NZxsJtnqnzo-XeDUc0tkWHi6_sBo4v6tUg',
        client_name: 'Doc Client',
        redirect_uris: ['http://localhost/callback'],
      },
    },
    {
      kind: 'DocumentReview',
      id: 'PFvSlTurVy1g47xxYPTlkZDa4tLNXUPtwDkVRQ5h9SY:shown',
      record: {
        v: 1,
        at: 1790000000,
        client_id: 'https://docs.example/narrow.json',
        digest: 'Bb4Vr9-Q9NZxsJtnqnzo-XeDUc0tkWHi6_sBo4v6tUg',
        client_name: 'Doc Client',
        redirect_uris: ['http://localhost/callback'],
      },
    },
    {
      kind: 'DocumentReview',
      id: '9iB_b6A6slPa_DDGHMq56MF4D6wLQ9XVCAeYTTTYoW8',
      record: {
        v: 1,
        at: 1790000000,
        client_name: 'Doc Client',
        redirect_uris: ['http://localhost/callback'],
        digest: 'Bb4Vr9-Q9NZxsJtnqnzo-XeDUc0tkWHi6_sBo4v6tUg',
        client_id: 'https://docs.example/approved.json',
        decision: 'approved',
      },
    },
    {
      kind: 'DocumentReview',
      id: 'sayPgRQ0ut9jB6rNlh6CMeGmhqoA2_jKihdimtw0CZA',
      record: { v: 1, at: 1790000000, client_id: 'https://docs.example/rejected.json', decision: 'rejected' },
    },
    {
      kind: 'DocumentReview',
      id: 'PFvSlTurVy1g47xxYPTlkZDa4tLNXUPtwDkVRQ5h9SY',
      record: {
        v: 1,
        at: 1790000000,
        client_name: 'Doc Client',
        redirect_uris: ['http://localhost/callback'],
        digest: 'Bb4Vr9-Q9NZxsJtnqnzo-XeDUc0tkWHi6_sBo4v6tUg',
        client_id: 'https://docs.example/narrow.json',
        scopes: 'openid courses:read courses:write',
        decision: 'approved',
      },
    },
    {
      kind: 'ProgramRule',
      id: '7uYRK0an1DjTbUu6SRy48nbbQqMBCGJyGYaCLoErDpA',
      record: { v: 1, program: 'chatgpt', access: 'blocked', at: 1790000000 },
    },
    {
      kind: 'ProgramRule',
      id: 'qgf7ylshdDVlgy_6wOc932mf4GzQC397iinnQ81Wzwk',
      record: { v: 1, program: 'claude', access: 'approval', at: 1790000000 },
    },
    {
      kind: 'ProgramRule',
      id: 'dBHfoNgiMwovXFaM5ZQkgsaUrvoqou3QI1RDJuKY3rU',
      record: {
        v: 1,
        program: 'codex',
        access: 'allowed',
        roles: ['teacher'],
        scopes: ['openid', 'courses:read'],
        at: 1790000000,
      },
    },
    {
      kind: 'ProgramRule',
      id: 'RIf5lcm73HWhScK_pnXvV0Jfm6glwCFuVPfiWDES5_o',
      record: { v: 1, client_id: 'member-app', access: 'blocked', at: 1790000000 },
    },
  ],
  'one record for each decision': [
    {
      kind: 'DocumentReview',
      id: '9iB_b6A6slPa_DDGHMq56MF4D6wLQ9XVCAeYTTTYoW8:shown',
      record: {
        v: 1,
        at: 1790000000,
        client_id: 'https://docs.example/approved.json',
        digest: 'Bb4Vr9-Q9NZxsJtnqnzo-XeDUc0tkWHi6_sBo4v6tUg',
        client_name: 'Doc Client',
        redirect_uris: ['http://localhost/callback'],
      },
    },
    {
      kind: 'DocumentReview',
      id: 'sayPgRQ0ut9jB6rNlh6CMeGmhqoA2_jKihdimtw0CZA:shown',
      record: {
        v: 1,
        at: 1790000000,
        client_id: 'https://docs.example/rejected.json',
        digest: 'Bb4Vr9-Q9NZxsJtnqnzo-XeDUc0tkWHi6_sBo4v6tUg',
        client_name: 'Doc Client',
        redirect_uris: ['http://localhost/callback'],
      },
    },
    {
      kind: 'DocumentReview',
      id: 'L9PUj_kKgllF_b-N9A24sFbUVBp4ZUs00Mzk-mBxbjs:shown',
      record: {
        v: 1,
        at: 1790000000,
        client_id: 'https://docs.example/waiting.json',
        digest: 'Bb4Vr9-Q9NZxsJtnqnzo-XeDUc0tkWHi6_sBo4v6tUg',
        client_name: 'Doc Client',
        redirect_uris: ['http://localhost/callback'],
      },
    },
    {
      kind: 'DocumentReview',
      id: 'PFvSlTurVy1g47xxYPTlkZDa4tLNXUPtwDkVRQ5h9SY:shown',
      record: {
        v: 1,
        at: 1790000000,
        client_id: 'https://docs.example/narrow.json',
        digest: 'Bb4Vr9-Q9NZxsJtnqnzo-XeDUc0tkWHi6_sBo4v6tUg',
        client_name: 'Doc Client',
        redirect_uris: ['http://localhost/callback'],
      },
    },
    {
      kind: 'ProgramRule',
      id: 'LsY0hDQzLNar5xBZMXL1opLXDLDyfoH3b0u1D9n49wg',
      record: {
        v: 1,
        client_id: 'https://docs.example/approved.json',
        access: 'allowed',
        inherits: true,
        approved: {
          digest: 'Bb4Vr9-Q9NZxsJtnqnzo-XeDUc0tkWHi6_sBo4v6tUg',
          client_name: 'Doc Client',
          redirect_uris: ['http://localhost/callback'],
        },
        by: 'olivia',
        decided: true,
        at: 1790000000,
      },
    },
    {
      kind: 'ProgramRule',
      id: 'cbVYk3gpVNSIZlGje5kwDRIBwrb7RbXA48TghSwyS0k',
      record: {
        v: 1,
        client_id: 'https://docs.example/rejected.json',
        access: 'blocked',
        by: 'olivia',
        decided: true,
        at: 1790000000,
      },
    },
    {
      kind: 'ProgramRule',
      id: 'e888yM43ZCADk2pMrzFtcX6DgbgxyiX9yfMJ3PXp6FM',
      record: {
        v: 1,
        client_id: 'https://docs.example/narrow.json',
        access: 'allowed',
        inherits: true,
        approved: {
          digest: 'Bb4Vr9-Q9NZxsJtnqnzo-XeDUc0tkWHi6_sBo4v6tUg',
          client_name: 'Doc Client',
          redirect_uris: ['http://localhost/callback'],
          scopes: 'openid courses:read courses:write',
        },
        by: 'olivia',
        decided: true,
        at: 1790000000,
      },
    },
    {
      kind: 'ProgramRule',
      id: '7uYRK0an1DjTbUu6SRy48nbbQqMBCGJyGYaCLoErDpA',
      record: {
        v: 1,
        program: 'chatgpt',
        access: 'blocked',
        by: 'olivia',
        reason: 'Not before the summer',
        decided: true,
        at: 1790000000,
      },
    },
    {
      kind: 'ProgramRule',
      id: 'qgf7ylshdDVlgy_6wOc932mf4GzQC397iinnQ81Wzwk',
      record: { v: 1, program: 'claude', access: 'approval', by: 'olivia', decided: true, at: 1790000000 },
    },
    {
      kind: 'ProgramRule',
      id: 'dBHfoNgiMwovXFaM5ZQkgsaUrvoqou3QI1RDJuKY3rU',
      record: {
        v: 1,
        program: 'codex',
        access: 'allowed',
        roles: ['teacher'],
        scopes: ['openid', 'courses:read'],
        decided: true,
        at: 1790000000,
      },
    },
    {
      kind: 'ProgramRule',
      id: 'z4QQ4bNxnzem6etMiZSznvp_dONDZa9kfITiuaiwlAw',
      record: { v: 1, program: 'zed', access: 'blocked', asks: true, decided: true, at: 1790000000 },
    },
    {
      kind: 'PersonDecision',
      id: 'OYOXuWaK9c61HuwagRNZ0Ji9TOpMkcBy9USYPOSKCtE',
      record: { v: 1, program: 'zed', member_id: 'sam', at: 1790000000, by: 'olivia' },
    },
    {
      kind: 'ProgramRule',
      id: 'RIf5lcm73HWhScK_pnXvV0Jfm6glwCFuVPfiWDES5_o',
      record: { v: 1, client_id: 'member-app', access: 'blocked', decided: true, at: 1790000000 },
    },
  ],
};
