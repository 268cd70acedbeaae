import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network.ts';

test('the network of an address › IPv4, IPv4 in IPv6, the first 64 bits of IPv6', () => {
  assert.equal(networkOf('203.0.113.5'), '203.0.113.5');
  assert.equal(networkOf('::ffff:203.0.113.5'), '203.0.113.5');
  assert.equal(networkOf('2001:db8:1:2:3::4'), networkOf('2001:db8:1:2::5'));
  assert.notEqual(networkOf('2001:db8:1:2::4'), networkOf('2001:db8:1:3::4'));
});
