/** The findings of fuzzing, each in its smallest form. */
import { after, before, suite, test } from 'node:test';
import assert from 'node:assert/strict';
import { commands, operationOf } from '../harness/journey.ts';
import type { Partner } from '../harness/partner.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { inputOf, invalidPaths, wellFormed } from '../harness/well-formed.ts';

suite('found by the fuzz', () => {
  let service: TestService;
  let partner: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
  });
  after(() => service.stop());

  const notNumbers: unknown[] = [
    { toString: 'x' },
    { valueOf: null, toString: null },
    [[]],
    '1',
    null,
  ];
  for (const command of commands) {
    // Spec: ERROR-10.
    test(`${command} › expectedVersion that cannot become a number › 400, not 500`, async () => {
      const id = operationOf(command);
      const asked = wellFormed(id);
      for (const expectedVersion of notNumbers) {
        const body = { ...asked.body, expectedVersion };
        const paths = await invalidPaths(partner, id, inputOf({ ...asked, body }));
        assert.deepEqual(paths, ['/expectedVersion']);
      }
    });
  }
});
