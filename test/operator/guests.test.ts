/** One guest's data: found, exported and erased, in the operator's API. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { OperatorInputOf } from '../../src/contract/operator/call-types.ts';
import { taskRuns } from '../../src/platform/diagnostics.ts';
import { eventually } from '../harness/eventually.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { guest, type Partner, requestOf } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { scratchFolder } from '../harness/scratch-folder.ts';
import { openStaff, type StaffAtWork } from '../harness/staff.ts';

const reason = 'Asked for in a letter of today.';
const secret = /Xanthippe|Quill|xanthippe\.|491701234567/i;

suite('operator.guest', () => {
  let folder: string;
  let at: StaffAtWork;
  let operator: Operator;
  let partner: Partner;

  before(async () => {
    folder = await mkdtemp(path.join(scratchFolder, 'erasures-'));
    at = await openStaff('test', {}, { LATCHKEY_DATA_DIR: folder });
    operator = await operatorOf(at.service, 'reservations');
    partner = await at.service.partner({ settlement: 'partner' });
  });
  after(async () => {
    await at.service.stop();
    await rm(folder, { recursive: true });
  });

  const person = (email: string) => ({
    ...guest(),
    firstName: 'Xanthippe',
    lastName: 'Quill',
    email,
    phone: '+491701234567',
  });
  const newEmail = () => `xanthippe.${randomUUID()}@example.com`;

  /** A request of this person, with its reservation. */
  async function reserved(email: string) {
    const body = requestOf(await partner.quote(), { guest: person(email) });
    const { reference } = await partner.requestedReservation(undefined, body);
    return { body, reference, reservationRequestId: body.reservationRequestId };
  }

  /** A request to cancel, which staff declined. */
  async function declined(reference: string, note: string, told: string): Promise<string> {
    const changeRequestId = randomUUID();
    await partner.succeed('reservation.change.request', {
      params: { reference },
      body: { changeRequestId, kind: 'cancel', note },
    });
    await operator.done('operator.changeRequest.decline', {
      params: { changeRequestId },
      body: { reason: told },
    });
    return changeRequestId;
  }

  /** As if the stay were over. */
  const passed = (reference: string) =>
    sql(
      at.service.database,
      `WITH freed AS (DELETE FROM occupancies WHERE reference = $1)
        UPDATE reservations SET check_in = '2026-01-02', check_out = '2026-01-04' WHERE reference = $1`,
      [reference],
    );

  const found = async (body: NonNullable<OperatorInputOf<'operator.guest.find'>['body']>) =>
    (await operator.done('operator.guest.find', { body })).items.map(({ reference }) => reference);

  // Spec: GUEST-4.
  test('find › 200 › by email, phone, name and reference; all of it must fit; nobody is an empty list', async () => {
    const email = newEmail();
    const { reference } = await reserved(email);
    assert.deepEqual(await found({ email: ` ${email.toUpperCase()}` }), [reference]);
    assert.deepEqual(await found({ reference }), [reference]);
    assert.ok((await found({ phone: '49 (170) 1234567' })).includes(reference));
    assert.ok((await found({ name: 'xanthippe  QUILL' })).includes(reference));
    assert.ok((await found({ name: 'quill' })).includes(reference));
    assert.deepEqual(await found({ name: 'Quill', email }), [reference]);
    assert.deepEqual(await found({ name: 'Xanthippe', email }), []);
    assert.deepEqual(await found({ reference, phone: '4917012345' }), []);
    assert.deepEqual(await found({ email: newEmail() }), []);
    const { items } = await operator.done('operator.guest.find', { body: { reference } });
    assert.deepEqual(items[0]?.guest, person(email));
    assert.equal(items[0]?.state, 'confirmed');
  });

  test('find › 400 › nothing is named', async () => {
    assert.equal((await operator.refused('operator.guest.find', { body: {} })).status, 400);
  });

  test('find › 200 › a guest of an earlier version, and one that was replaced', async () => {
    const email = newEmail();
    const { reference } = await reserved(email);
    await sql(at.service.database, 'DELETE FROM guest_digests');
    await sql(
      at.service.database,
      `UPDATE guest_digest_backlog SET done = false, kind = '', booking_id = '00000000-0000-0000-0000-000000000000'`,
    );
    assert.deepEqual(await found({ email }), [reference]);

    const open = await partner.checkout();
    const save = (of: string, expectedVersion: number) =>
      partner.succeed('reservation.checkout.saveGuest', {
        ...open.at,
        body: { expectedVersion, guest: person(of) },
      });
    const [first, second] = [newEmail(), newEmail()];
    await save(first, 1);
    assert.equal((await found({ email: first })).length, 1);
    await save(second, 2);
    assert.deepEqual(await found({ email: first }), []);
    assert.equal((await found({ email: second })).length, 1);
  });

  test('export › 200 › reservation, booking, notes and history; in the audit trail without the person', async () => {
    const email = newEmail();
    const { reference } = await reserved(email);
    const text = `Xanthippe comes late ${randomUUID()}`;
    await operator.done('operator.reservation.addNote', { params: { reference }, body: { text } });
    const note = `Quill is ill ${randomUUID()}`;
    await declined(reference, note, 'Xanthippe Quill was told.');
    const exported = await operator.done('operator.guest.export', { body: { email } });
    assert.equal(exported.items.length, 1);
    assert.deepEqual(
      exported.items[0]!.changeRequests.map(({ kind, state, note: written, reason: told }) => ({
        kind,
        state,
        written,
        told,
      })),
      [{ kind: 'cancel', state: 'declined', written: note, told: 'Xanthippe Quill was told.' }],
    );
    const [item] = exported.items;
    assert.equal(item?.reservation?.reference, reference);
    assert.deepEqual(item?.checkout.guest, person(email));
    assert.ok(JSON.stringify(item?.reservation).includes(text));
    const [entry] = (await operator.done('operator.audit.list', { query: { limit: 1 } })).items;
    assert.equal(entry?.action, 'guest.export');
    assert.deepEqual(entry?.details, { by: 'email', bookings: 1 });
    const none = await operator.refused('operator.guest.export', { body: { email: newEmail() } });
    assert.equal(none.status, 404);
  });

  // Spec: GUEST-4.
  test('erase › 200 › nothing names the person any more; the reservation stays, and repeats are answered', async () => {
    const email = newEmail();
    const { body, reference, reservationRequestId } = await reserved(email);
    const params = { reference };
    await operator.done('operator.reservation.addNote', {
      params,
      body: { text: 'Xanthippe Quill comes late' },
    });
    const key = { 'idempotency-key': randomUUID() };
    const note = { params, body: { text: 'Quill again' } };
    assert.equal((await operator.send('operator.reservation.addNote', note, key)).status, 201);
    const changeRequestId = await declined(reference, 'Quill is ill', 'Xanthippe Quill was told.');
    const cancelled = { params, body: { reason: 'Xanthippe Quill has called.' } };
    await operator.done('operator.reservation.cancel', cancelled);
    const reservation = () => partner.succeed('reservation.reservation.get', { params });
    await eventually(async () => (await reservation()).materialization === 'ready', 20_000);
    const shown = await reservation();

    const wanted = { body: { email, reason } };
    const preview = await operator.done('operator.guest.previewErase', wanted);
    assert.deepEqual(await found({ email }), [reference], 'a preview erases nothing');
    const erased = await operator.done('operator.guest.erase', wanted);
    assert.deepEqual({ ...preview, dryRun: false }, erased);
    assert.deepEqual(erased.removed, { notes: 2, texts: 2, responses: 0, summaries: 0 });
    assert.equal(erased.cardProvider, 'nothing');
    assert.deepEqual(
      erased.items.map((one) => one.reference),
      [reference],
    );

    assert.deepEqual(await found({ email }), []);
    assert.deepEqual(await found({ reference }), []);
    const file = await operator.done('operator.reservation.get', { params });
    assert.equal(file.guest, null);
    assert.doesNotMatch(JSON.stringify(file), secret);
    const trail = await operator.done('operator.audit.list', { query: { reference } });
    assert.doesNotMatch(JSON.stringify(trail), secret);
    const act = trail.items.find(({ action }) => action === 'reservation.cancel');
    assert.equal(act?.details['reason'], null);
    assert.equal(trail.items[0]?.action, 'guest.erase');
    assert.equal(trail.items[0]?.details['reason'], reason);
    const { items } = await operator.done('operator.reservation.list', { query: { reference } });
    assert.equal(items[0]?.guestName, null);

    assert.deepEqual(await reservation(), shown);
    const asked = await partner.succeed('reservation.change.get', {
      params: { reference, changeRequestId },
    });
    assert.deepEqual([asked.state, asked.note, asked.reason], ['declined', null, null]);
    const again = await partner.call('reservation.reservationRequest.create', { body });
    assert.equal(again.status, 202);
    const request = await partner.succeed('reservation.reservationRequest.get', {
      params: { reservationRequestId },
    });
    assert.equal(request.reference, reference);
    assert.doesNotMatch(JSON.stringify([again.body, request]), secret);
    const repeated = await operator.send('operator.reservation.addNote', note, key);
    assert.equal(repeated.status, 409);
    assert.equal((await operator.refused('operator.guest.erase', wanted)).status, 404);

    const lines = (await readFile(path.join(folder, 'erasures'), 'utf8')).trim();
    assert.doesNotMatch(lines, secret);
    assert.ok(lines.includes(reservationRequestId));
    const verified = await (await operatorOf(at.service)).done('operator.audit.verify', {});
    assert.ok(verified.erased >= 1);
  });

  test('erase › 200 › one reservation alone, and a checkout that was not submitted', async () => {
    const email = newEmail();
    const [one, other] = [await reserved(email), await reserved(email)];
    await passed(one.reference);
    const byReference = { body: { reference: one.reference, reason } };
    await operator.done('operator.guest.erase', byReference);
    assert.deepEqual(await found({ email }), [other.reference]);

    const open = await partner.checkout();
    const mine = newEmail();
    await partner.succeed('reservation.checkout.saveGuest', {
      ...open.at,
      body: { expectedVersion: 1, guest: person(mine) },
    });
    await operator.done('operator.guest.erase', { body: { email: mine, reason } });
    const read = await partner.succeed('reservation.checkout.get', open.at);
    assert.deepEqual(
      [read.guest, read.state, read.nextActions],
      [null, 'expired', ['refresh_quote']],
    );
  });

  test('erase › 409 › a stay is not over; then nothing of the person is erased', async () => {
    const email = newEmail();
    const [one, other] = [await reserved(email), await reserved(email)];
    await passed(one.reference);
    const refused = await operator.refused('operator.guest.erase', { body: { email, reason } });
    assert.equal(refused.code, 'conflict');
    assert.match(refused.message, new RegExp(`${other.reference} lasts until`));
    const preview = await operator.refused('operator.guest.previewErase', { body: { email } });
    assert.deepEqual(preview.code, 'conflict');
    assert.equal((await found({ email })).length, 2);
  });

  test('erase › 400 › the reason names the person, or nobody is named', async () => {
    const email = newEmail();
    const { reference } = await reserved(email);
    await passed(reference);
    for (const wrong of [`${email} asked`, 'For XANTHIPPE QUILL']) {
      const body = { email, reason: wrong };
      assert.equal((await operator.refused('operator.guest.erase', { body })).status, 400);
    }
    const body = { reason };
    assert.equal((await operator.refused('operator.guest.erase', { body })).status, 400);
  });

  test('erase › 200 › what a file says was erased is erased again after a restore; later bookings are not', async () => {
    const email = newEmail();
    const { reference, reservationRequestId } = await reserved(email);
    await passed(reference);
    const sealed = await sql<{ sealed: Buffer }>(
      at.service.database,
      'SELECT guest_sealed AS sealed FROM bookings WHERE booking_id = $1',
      [reservationRequestId],
    );
    await operator.done('operator.guest.erase', { body: { email, reason } });
    const file = path.join(folder, 'erasures');
    const from = (await readFile(file, 'utf8')).trim().split('\n');
    const later = await reserved(email);
    await sql(
      at.service.database,
      'UPDATE bookings SET guest_sealed = $2, guest_removed_at = NULL WHERE booking_id = $1',
      [reservationRequestId, sealed[0]!.sealed],
    );
    assert.equal((await found({ email })).length, 2);
    await operator.done('operator.guest.erase', { body: { from: [...from, '{"cut'], reason } });
    assert.deepEqual(await found({ email }), [later.reference]);
    assert.deepEqual((await readFile(file, 'utf8')).trim().split('\n'), from);
  });

  // Spec: RESTORE-6.
  test('restore.declare › 200 › who was erased stays so', async () => {
    const email = newEmail();
    const { reference, reservationRequestId } = await reserved(email);
    await passed(reference);
    const [kept] = await sql<{ sealed: Buffer }>(
      at.service.database,
      'SELECT guest_sealed AS sealed FROM bookings WHERE booking_id = $1',
      [reservationRequestId],
    );
    await operator.done('operator.guest.erase', { body: { email, reason } });
    const later = await reserved(email);
    await sql(
      at.service.database,
      'UPDATE bookings SET guest_sealed = $2, guest_removed_at = NULL WHERE booking_id = $1',
      [reservationRequestId, kept!.sealed],
    );
    assert.equal((await found({ email })).length, 2);
    const administrator = await operatorOf(at.service, 'administrator');
    await administrator.done('operator.restore.declare', { body: { reason: 'A backup.' } });
    await eventually(async () => (await found({ email })).length === 1, 20_000);
    assert.deepEqual(await found({ email }), [later.reference]);
    const query = { action: 'guest.erase', reference };
    const { items } = await administrator.done('operator.audit.list', { query });
    assert.equal(items[0]!.actor, 'service');
  });

  // Spec: RESTORE-6.
  test('restore.declare › 200 › a file of erasures that cannot be read is said, and read again', async () => {
    const file = path.join(folder, 'erasures');
    const kept = await readFile(file);
    await rm(file);
    await mkdir(file);
    const administrator = await operatorOf(at.service, 'administrator');
    let last = null as 'failed' | 'done' | null;
    const runs = taskRuns.subscribe(({ task, failed }) => {
      if (task === 'repeat erasures') last = failed ? 'failed' : 'done';
    });
    try {
      await administrator.done('operator.restore.declare', { body: { reason: 'A backup.' } });
      await eventually(async () => last === 'failed', 20_000);
    } finally {
      await rm(file, { recursive: true });
      await writeFile(file, kept);
    }
    await eventually(async () => last === 'done', 30_000);
    runs();
  });
});
