import { describe, expect, test } from '@jest/globals';
import { type ExecutionResult, parseValue } from 'graphql';
import { dateTime } from '../../lib/member/schema/date-time.ts';
import { runner } from './run.ts';

const valid: [string, string][] = [
  ['2031-03-10T09:00:00Z', '2031-03-10T09:00:00.000Z'],
  ['2031-03-10t09:00:00z', '2031-03-10T09:00:00.000Z'],
  ['2031-03-10T09:00:00.5Z', '2031-03-10T09:00:00.500Z'],
  ['2031-03-10T09:00:00.123456789Z', '2031-03-10T09:00:00.123Z'],
  ['2031-03-10T09:00:00+02:30', '2031-03-10T06:30:00.000Z'],
  ['2031-03-10T23:59:59.999-23:59', '2031-03-11T23:58:59.999Z'],
  ['2031-03-10T09:00:00-00:00', '2031-03-10T09:00:00.000Z'],
  ['2032-02-29T00:00:00Z', '2032-02-29T00:00:00.000Z'],
  ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ['0049-12-31T00:00:00z', '0049-12-31T00:00:00.000Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
];

const invalid: [string, string][] = [
  ['no text', ''],
  ['no time', '2031-03-10'],
  ['no time zone', '2031-03-10T09:00:00'],
  ['no seconds', '2031-03-10T09:00Z'],
  ['no letter T', '2031-03-10 09:00:00Z'],
  ['a fraction without digits', '2031-03-10T09:00:00.Z'],
  ['a time zone without a colon', '2031-03-10T09:00:00+0100'],
  ['a time zone of 24 hours', '2031-03-10T09:00:00+24:00'],
  ['a time zone of 60 minutes', '2031-03-10T09:00:00+01:60'],
  ['a time zone without a sign', '2031-03-10T09:00:00|01:00'],
  ['a leap second', '2016-12-31T23:59:60Z'],
  ['minute 60', '2031-03-10T09:60:00Z'],
  ['hour 24', '2031-03-10T24:00:00Z'],
  ['day 0', '2031-03-00T09:00:00Z'],
  ['day 32', '2031-03-32T09:00:00Z'],
  ['April 31', '2031-04-31T09:00:00Z'],
  ['February 29 of a year with 365 days', '2031-02-29T09:00:00Z'],
  ['February 29 of 1900, which has 365 days', '1900-02-29T09:00:00Z'],
  ['February 30 of a leap year', '2032-02-30T09:00:00Z'],
  ['month 0', '2031-00-10T09:00:00Z'],
  ['month 13', '0003-13-13T09:00:00Z'],
  ['a year of five digits', '12031-03-10T09:00:00Z'],
  ['a year with a sign', '+002031-03-10T09:00:00Z'],
  ['space before', ' 2031-03-10T09:00:00Z'],
  ['a line break after', '2031-03-10T09:00:00Z\n'],
  ['another form', 'Mon, 10 Mar 2031 09:00:00 GMT'],
];

describe('serialize', () => {
  test.each<[unknown, string]>([
    ...valid,
    [new Date('2031-03-10T09:00:00Z'), '2031-03-10T09:00:00.000Z'],
    [1_930_899_600_000, '2031-03-10T09:00:00.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
  ])('of %j is %s', (value, iso) => {
    expect(dateTime.serialize(value)).toBe(iso);
  });

  test.each<[string, unknown]>([
    ...invalid,
    ['an invalid Date', new Date(Number.NaN)],
    ['a number outside the range of a Date', 8.64e15 + 1],
    ['NaN', Number.NaN],
    ['true', true],
    ['an object', {}],
    ['a list', ['2031-03-10T09:00:00Z']],
  ])('of %s is a TypeError, which is masked as a fault of the platform', (_what, value) => {
    const message = `a DateTime must be a Date or an RFC 3339 string, not ${JSON.stringify(value)}`;
    expect(() => dateTime.serialize(value)).toThrow(new TypeError(message));
  });
});

describe('an argument', () => {
  const received: unknown[] = [];
  const run = runner({
    typeDefs: 'extend type Query { echo(at: DateTime!): DateTime! }',
    resolvers: {
      Query: {
        echo: (_root, { at }) => {
          received.push(at);
          return at;
        },
      },
    },
  });
  const asVariable = (at: unknown): Promise<ExecutionResult> =>
    run('query ($at: DateTime!) { echo(at: $at) }', { at }, []);
  const asLiteral = (at: string): Promise<ExecutionResult> => run(`{ echo(at: ${at}) }`, {}, []);

  test.each(valid)('%s reaches the resolver as a Date', async (at, iso) => {
    received.length = 0;
    expect(await asVariable(at)).toEqual({ data: { echo: iso } });
    expect(await asLiteral(JSON.stringify(at))).toEqual({ data: { echo: iso } });
    expect(received).toEqual([new Date(iso), new Date(iso)]);
  });

  test.each(invalid)('with %s is an error of the caller that quotes it', async (_what, at) => {
    const message = `DateTime cannot represent an invalid date-time-string ${at}.`;
    for (const { data, errors } of [await asVariable(at), await asLiteral(JSON.stringify(at))]) {
      expect(data).toBeUndefined();
      expect(errors?.map((error) => error.message)).toEqual([expect.stringContaining(message)]);
      expect(errors?.[0]?.locations).toHaveLength(1);
    }
  });

  test.each(['1930899600000', '1.5', 'true', '[1]'])('%s is an error of the caller that quotes it', async (at) => {
    const message = `DateTime cannot represent non string or Date type ${at}`;
    for (const { data, errors } of [await asVariable(JSON.parse(at)), await asLiteral(at)]) {
      expect(data).toBeUndefined();
      expect(errors?.map((error) => error.message)).toEqual([expect.stringContaining(message)]);
    }
  });
});

test('a literal that is an enum value or a variable is not a DateTime', () => {
  const message = 'DateTime cannot represent non string or Date type';
  expect(() => dateTime.parseLiteral(parseValue('NOW'), undefined)).toThrow(`${message} NOW`);
  expect(() => dateTime.parseLiteral(parseValue('$at'), undefined)).toThrow(`${message} $at`);
});

test('a Date is accepted as a value of a variable unless it is invalid', () => {
  const date = new Date(0);
  expect(dateTime.parseValue(date)).toBe(date);
  expect(() => dateTime.parseValue(new Date(Number.NaN))).toThrow('DateTime cannot represent an invalid Date instance');
});
