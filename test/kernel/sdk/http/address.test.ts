import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressGroup } from 'plugboard/sdk';

test('an address is an IPv4 address or the /64 network of an IPv6 address', () => {
  const cases = {
    '10.1.2.3': '10.1.2.3',
    '::ffff:10.1.2.3': '10.1.2.3',
    '2001:db8:0:7:1:2:3:4': '2001:db8:0:7::/64',
    '2001:DB8:0:07::9': '2001:db8:0:7::/64',
    '2001:db8::1': '2001:db8:0:0::/64',
    '::1': '0:0:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    '': '',
  };
  for (const [address, group] of Object.entries(cases)) assert.equal(addressGroup(address), group, address);
});
