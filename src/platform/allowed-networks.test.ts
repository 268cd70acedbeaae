import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { canonicalNetwork, isInNetworks } from './allowed-networks.ts';

suite('allowed networks', () => {
  for (const [text, stored] of [
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.7', '203.0.113.7/32'],
    ['2001:DB8::1/64', '2001:db8::/64'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['203.0.113.0/33', null],
    ['2001:db8::/129', null],
    ['203.0.113', null],
    ['0x7f.0.0.1', null],
    ['example.com', null],
    ['', null],
  ] as const) {
    test(`${text} › is stored as ${stored}`, () => {
      assert.equal(canonicalNetwork(text), stored);
    });
  }

  for (const [networks, address, isIn] of [
    [null, '198.51.100.1', true],
    [['203.0.113.0/24'], '203.0.113.255', true],
    [['203.0.113.0/24'], '203.0.114.0', false],
    [['203.0.113.0/24'], '::ffff:203.0.113.9', true],
    [['203.0.113.0/24'], '2001:db8::1', false],
    [['203.0.113.0/24', '2001:db8::/64'], '2001:db8::ffff:1', true],
    [['2001:db8::/64'], '2001:db8:0:1::1', false],
    [['203.0.113.0/24'], 'unknown', false],
    [[], '203.0.113.1', false],
  ] as const) {
    test(`${networks ? networks.join(',') : 'every network'} › ${address} is ${isIn ? 'in' : 'out'}`, () => {
      assert.equal(isInNetworks(networks, address), isIn);
    });
  }
});
