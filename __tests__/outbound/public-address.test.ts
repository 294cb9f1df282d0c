import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { isPublicAddress } from '../../lib/core/outbound/public-address.ts';
import { cases } from '../helpers/properties.ts';

describe('isPublicAddress(address)', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.255',
    '127.0.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::ffff:0:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    'fec0::1',
    'ff02::1',
    '4000::1',
    '',
    'localhost',
    '127.1',
    '0x7f.1',
    '2130706433',
    '[::1]',
    '8.8.8.8 ',
    '08.8.8.8',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '93.184.215.14',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.1',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
    '3ffe::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test('no private IPv4 address is public in any IPv6 form', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const inside = fc.tuple(fc.constantFrom('10', '127', '169.254', '192.168', '172.16', '0', '224'), byte, byte, byte);
    const wrappings = ['', '::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::'] as const;
    fc.assert(
      fc.property(inside, fc.constantFrom(...wrappings), ([head, ...tail], wrapping) => {
        const address = [...head.split('.'), ...tail].slice(0, 4).join('.');
        expect(isPublicAddress(`${wrapping}${address}`)).toBe(false);
      }),
      cases(100),
    );
  });
});
