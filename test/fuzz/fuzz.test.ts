import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz, fuzzedEnvironments } from './campaign.ts';

// Another seed manually: npm run random -- fuzz --seed S
const seed = '1';
const seconds = 20;
// As many on each machine. A fast one could send twenty times as many, which is what `npm run random -- fuzz` is for.
const mostPerSecond = 120;
// A machine under load sends fewer requests, and few of them get as far as 202.
const mostSeconds = 60;
const statuses = ['200', '201', '202', '400', '401', '404', '409'];
const mostGrowthMb = 200;
const timeout = 120_000;
// Alternating between two must make no difference.
const processesIn = { simulation: 2, test: 1 } as const;

for (const environment of fuzzedEnvironments) {
  const name = `${environment} › any bytes › no 5xx, every response valid, memory bounded, ready afterwards`;
  test(name, { timeout }, async () => {
    const processes = processesIn[environment];
    const length = { seconds, mostSeconds, mostPerSecond, statuses };
    const outcome = await fuzz({ seed, ...length, environment, processes });
    assert.deepEqual(outcome.findings.slice(0, 5), []);
    assert.ok(outcome.requests > 1_000, `only ${outcome.requests} requests`);
    for (const status of statuses) {
      assert.ok(outcome.responses.has(status), `no request got as far as ${status}`);
    }
    const { 'a whole one': whole, ...others } = outcome.slow;
    assert.equal(whole, 200, 'a slow but complete request gets a response');
    // Cut off as incomplete, refused without a token before the body, or still sending at the end.
    const ends = new Set([400, 401, null]);
    assert.ok(
      Object.values(others).every((status) => ends.has(status)),
      JSON.stringify(others),
    );
    assert.ok(
      outcome.endMb - outcome.warmMb < mostGrowthMb,
      `${outcome.warmMb} → ${outcome.endMb} MB`,
    );
    assert.equal(outcome.readiness, 200);
    assert.equal(outcome.booked, 'confirmed');
    assert.deepEqual(outcome.complaints, []);
  });
}
