import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { findDestination } from './destination.ts';

const never = (): Promise<string[]> => Promise.reject(new Error('no name is resolved'));

suite('the destination of an attempt', () => {
  test('is decided by the rules of each caller, also when another has asked for the same URL', async () => {
    const url = 'http://127.0.0.1:8080/hook';
    const [allowing, forbidding] = [true, false].map((loopbackAllowed) => ({ loopbackAllowed }));
    for (const rules of [allowing!, forbidding!, allowing!, forbidding!]) {
      const found = await findDestination(url, rules, never);
      assert.deepEqual(
        'error' in found ? found.error : found.addresses,
        rules.loopbackAllowed ? ['127.0.0.1'] : 'forbidden_address',
      );
    }
  });

  test('has the addresses that its name has now, and is forbidden as soon as one of them is', async () => {
    const rules = { loopbackAllowed: false };
    const answers = [['203.0.114.5'], ['203.0.114.5', '10.0.0.1'], []];
    const found = [];
    for (const addresses of answers) {
      const destination = await findDestination('https://partner.example/hook', rules, () =>
        Promise.resolve(addresses),
      );
      found.push('error' in destination ? destination.error : destination.addresses);
    }
    assert.deepEqual(found, [['203.0.114.5'], 'forbidden_address', 'dns']);
  });
});
