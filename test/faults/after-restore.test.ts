/** The table of the guide of backups: what partners and staff find after a restore. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { guideBlocks } from '../harness/guide-blocks.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import type { OpenCheckout, Partner } from '../harness/partner.ts';
import { type Backups, backupsOf } from '../harness/restored-database.ts';
import { sql } from '../harness/rows.ts';
import { type RestartableService, startTestService } from '../harness/service.ts';

const roles = { LATCHKEY_ROLES: 'api,worker' };

describe('after a restore, as the guide says', () => {
  let service: RestartableService;
  let backups: Backups;
  let administrator: Operator;
  let partner: Partner;
  let revoked: Partner;
  let suspended: Partner;
  let token: string;
  let pending: OpenCheckout;
  let changed: OpenCheckout;
  let seenReference: string | undefined;
  let registered: Partner;
  let missed: Record<string, unknown>[];

  before(async () => {
    // No worker: what is submitted stays pending in the backup.
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    backups = await backupsOf(service.database);
    administrator = await operatorOf(service, 'administrator');
    [partner, revoked, suspended] = [
      await service.partner(),
      await service.partner(),
      await service.partner(),
    ];
    token = await partner.freshToken();
    pending = await partner.submittedCheckout();
    changed = await partner.readyCheckout();
    await service.restart(() => backups.make(), roles);

    // What the backup does not have.
    ({ reference: seenReference } = await partner.statusOnce(pending, ['confirmed']));
    const body = { expectedVersion: 2, code: 'WELCOME10' };
    await partner.succeed('reservation.checkout.applyPromo', { ...changed.at, body });
    const { keyId } = revoked.credentials;
    await administrator.done('operator.key.revoke', { params: { keyId }, body: {} });
    const params = { applicationId: suspended.credentials.applicationId };
    const reason = 'They asked for it.';
    await administrator.done('operator.application.suspend', { params, body: { reason } });
    registered = await service.partner();
    const block = guideBlocks.find(({ text }) => text.includes('FROM audit_entries'));
    const text = block!.text.replace('2026-11-20 23:00Z', '2026-01-01').replace(';', '');
    missed = await sql(service.database, text);
    await service.restart(() => backups.restore(), roles);
  });
  after(async () => {
    await service.stop();
    await backups.clear();
  });

  it('a booking that was pending in the backup gets another reference', async () => {
    const { reference } = await partner.statusOnce(pending, ['confirmed']);
    assert.ok(seenReference && reference);
    assert.notEqual(reference, seenReference);
  });

  it('a checkout has its earlier version, and a later one is 412', async () => {
    const { version: termsVersion } = changed.quote.terms;
    const body = { expectedVersion: 3, termsVersion, termsAccepted: true as const };
    const late = await partner.refused('reservation.checkout.submit', { ...changed.at, body });
    assert.deepEqual([late.status, late.code], [412, 'precondition_failed']);
    assert.equal((await partner.succeed('reservation.checkout.get', changed.at)).version, 2);
  });

  it('keys revoked since work again, suspended applications are active, new applications do not exist', async () => {
    await revoked.freshToken();
    await suspended.freshToken();
    await assert.rejects(registered.freshToken(), /401/);
  });

  it('access tokens and session capabilities from before stay valid', async () => {
    await partner.succeed('reservation.checkout.get', { ...changed.at, token });
  });

  it('the statement of the guide lists what staff did since', () => {
    const actions = new Set(missed.map(({ action }) => action));
    for (const action of ['key.revoke', 'application.suspend']) {
      assert.ok(actions.has(action), action);
    }
  });
});
