/** The one search of the operator's API. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { guest, type Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { openStaff, type StaffAtWork } from '../harness/staff.ts';

suite('operator.search', () => {
  let at: StaffAtWork;
  let operator: Operator;
  let partner: Partner;

  before(async () => {
    at = await openStaff('test');
    operator = await operatorOf(at.service, 'viewer');
    partner = await at.service.partner({ settlement: 'partner' });
  });
  after(() => at.service.stop());

  async function reserved(who: Partial<ReturnType<typeof guest>>, partnerReference?: string) {
    const quote = await partner.quote();
    const reservation = await partner.requestedReservation(quote, {
      guest: { ...guest(), ...who },
      ...(partnerReference && { partnerReference }),
    });
    return { ...reservation, quote };
  }

  const find = (text: string) => operator.done('operator.search.find', { body: { text } });
  const references = async (text: string) =>
    (await find(text)).stays.map(({ reference }) => reference);

  // Spec: OPERATOR-17.
  test('find › 200 › a guest by words, phone, email, references and ID, as people say them', async () => {
    const email = `${randomUUID()}@example.com`;
    const person = { firstName: 'Jürgen', lastName: 'Größe-Quint', email, phone: '+491715550123' };
    const own = `P-${randomUUID()}`;
    const { reference, reservationRequestId } = await reserved(person, own);
    const sloppy = reference.replace('LK-', '').replaceAll('-', '').toLowerCase();
    for (const text of [
      'quint',
      'GROESSE jurgen',
      'Jürgen Größe',
      email.toUpperCase(),
      '0171 555 01 23',
      '550123',
      reference,
      sloppy.replaceAll('0', 'o').replaceAll('1', 'l'),
      own,
      reservationRequestId,
    ]) {
      assert.ok((await references(text)).includes(reference), text);
    }
    const [stay] = (await find('quint')).stays;
    assert.equal(stay?.guest, 'Jürgen Größe-Quint');
    assert.equal(stay?.phone, '+491715550123');
    assert.equal(stay?.state, 'confirmed');
    assert.equal(stay?.by, 'guest');
    assert.deepEqual(await references('quint schmidt'), []);
    assert.deepEqual((await find('quin')).stays, []);
  });

  test('find › 200 › homes, their stays, and partners; a day leaves the stays of other days out', async () => {
    const { reference, quote } = await reserved({ lastName: 'Anders' });
    const params = { listingId: quote.listingId };
    const home = await partner.succeed('distribution.listing.get', { params });
    const found = await find(home.name);
    assert.ok(found.homes.some(({ listing }) => listing === home.slug));
    assert.ok(found.stays.some((stay) => stay.reference === reference && stay.by === 'home'));
    assert.ok((await references(`${home.name} ${quote.checkIn}`)).includes(reference));
    assert.ok((await references(`anders ${quote.checkOut}`)).includes(reference));
    assert.deepEqual(await references('anders 2020-01-01'), []);
    const [named] = (await operator.done('operator.application.list', {})).items;
    const { partners } = await find(named!.name.toUpperCase());
    assert.ok(partners.some(({ applicationId }) => applicationId === named!.applicationId));
    const byId = await find(named!.applicationId);
    assert.deepEqual(byId.partners, [{ applicationId: named!.applicationId, name: named!.name }]);
  });

  test('find › 200 › says what it has not searched', async () => {
    const { notSearched, stays } = await find('5550');
    assert.deepEqual(stays, []);
    assert.deepEqual(notSearched, ['Phone numbers: enter at least the last six digits.']);
    const day = await find('14.8.2027');
    assert.equal(day.night, '2027-08-14');
    assert.match(day.notSearched[0]!, /^Guests: a day alone/);
  });

  test('find › 200 › a guest whose words an earlier version has not made', async () => {
    const lastName = `Earlier${Math.random()
      .toString(36)
      .replaceAll(/[^a-z]/g, 'x')}`;
    const { reference } = await reserved({ lastName });
    assert.deepEqual(await references(lastName), [reference]);
    await sql(at.service.database, 'UPDATE guest_digests SET words = NULL, digested = true');
    assert.deepEqual(await references(lastName), [reference]);
  });

  test('find › 400 › no text', async () => {
    const refused = await operator.refused('operator.search.find', { body: { text: '' } });
    assert.equal(refused.status, 400);
  });
});
