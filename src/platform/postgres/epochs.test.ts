import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideEpoch, type EpochFacts } from './epochs.ts';

const here = { systemIdentifier: '1', timeline: '00000001', databaseOid: '16385' };
const now = 1_000_000_000;
const usual: EpochFacts = {
  now,
  aliveAt: now - 60_000,
  wasOutsideOff: false,
  isOutsideOff: false,
  known: here,
  here,
};

// Spec: RESTORE-1.
describe('a start begins an epoch', () => {
  const cases: [string, Partial<EpochFacts>, ReturnType<typeof decideEpoch>][] = [
    ['not within a minute after the last process', {}, null],
    ['after more than a minute without any', { aliveAt: now - 60_001 }, 'gap'],
    ['with a sign of life from a wrong clock', { aliveAt: now + 60_001 }, 'gap'],
    ['of a database that nobody has used', { known: null, aliveAt: null }, 'first'],
    ['on another server', { here: { ...here, systemIdentifier: '2' } }, 'server'],
    ['on another timeline', { here: { ...here, timeline: '00000002' } }, 'server'],
    ['in another database of the server', { here: { ...here, databaseOid: '16386' } }, 'server'],
    ['not after one of an earlier version', { known: { ...here, databaseOid: null } }, null],
    ['after one that called nothing outside', { wasOutsideOff: true }, 'outside_off'],
    ['not if it calls nothing outside itself', { isOutsideOff: true, aliveAt: 0 }, null],
  ];
  for (const [name, facts, expected] of cases) {
    it(name, () => assert.equal(decideEpoch({ ...usual, ...facts }), expected));
  }
});
