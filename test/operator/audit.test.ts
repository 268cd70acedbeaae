/** The audit trail: what each act of staff writes, and how the operator's API lists it. */
import { makeMoneyWait } from '../harness/money-waits.ts';
import type { OperatorArguments, OperatorInputOf } from '../../src/contract/operator/call-types.ts';
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import sharp from 'sharp';
import {
  operatorOperationIds,
  operatorRowOf,
  type OperatorOperationId,
  type OperatorQueryOf,
} from '../../src/contract/operator/operations.ts';
import { changesSomething } from '../../src/contract/rows.ts';
import { codeOf, stepAt } from '../../src/sign-in/one-time-code.ts';
import { feedOf } from '../channels/calendars.ts';
import { plusDays } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import type { Journey } from '../harness/journey.ts';
import { type Operator, operatorOf, operatorWith } from '../harness/operator.ts';
import { testBaseUrl } from '../harness/base-url.ts';
import { SoftPasskey } from '../harness/passkey.ts';
import { daysAhead, guest, type Partner } from '../harness/partner.ts';
import { Receiver } from '../harness/receiver.ts';
import { listAuditEntries } from '../../src/platform/audit/audit-entries.ts';
import { PortalCaller } from '../harness/portal.ts';
import { sql } from '../harness/rows.ts';
import { scratchFolder } from '../harness/scratch-folder.ts';
import { decodedSecret, type SignedIn, signedIn, staffPassword } from '../harness/staff-member.ts';
import { submittedByCard } from '../harness/stripe/card-journey.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';
import { writeDeliveries } from '../harness/webhooks.ts';
import { wrongPaths } from '../harness/wrong-paths.ts';

const reason = 'The owner has called.';

interface Entry {
  actor: string;
  source: string;
  action: string;
  details: Record<string, unknown>;
}

suite('the audit trail', () => {
  let folder: string;
  let service: PaidService;
  let staff: SignedIn;
  let card: Partner;
  const audited = new Set<OperatorOperationId>();
  before(async () => {
    folder = await mkdtemp(path.join(scratchFolder, 'audit-'));
    service = await startPaidService({ LATCHKEY_DATA_DIR: folder });
    staff = await signedIn(service);
    card = await service.partner({ settlement: 'card' });
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const newest = async (): Promise<number> => {
    const [row] = await sql<{ id: number }>(
      service.database,
      'SELECT coalesce(max(entry_id), 0)::integer AS id FROM audit_entries',
    );
    return row!.id;
  };

  /**
   * Makes a call, which must write exactly these entries: an action, and after a colon the members that
   * its details must have.
   */
  async function wrote<Id extends OperatorOperationId>(
    id: Id,
    input: OperatorInputOf<Id>,
    expected: readonly string[],
    caller: Operator = staff.operator,
  ) {
    const last = await newest();
    const reply = await caller.done(id, ...([input] as OperatorArguments<Id>));
    const page = { before: null, atMost: 100 };
    const { items: listed } = await listAuditEntries(service.database, {}, page);
    const entries = listed.filter(({ entryId }) => entryId > last);
    const described = expected.map((text) => text.split(': '));
    assert.deepEqual(
      entries.map(({ action }) => action).toSorted(),
      described.map(([action]) => action).toSorted(),
      id,
    );
    for (const [action, members = ''] of described) {
      const { actor, source, details } = entries.find((entry) => entry.action === action)!;
      assert.deepEqual([actor, source], [caller.name, 'console 127.0.0.1'], id);
      const absent = members.split(' ').filter((name) => name !== '' && !(name in details));
      assert.deepEqual(absent, [], `${id}: ${JSON.stringify(details)}`);
    }
    audited.add(id);
    return reply;
  }

  const none: readonly string[] = [];

  test('a path with an encoded letter names the same origin', async () => {
    const last = await newest();
    const response = await fetch(`${service.origin}/%6Fperator/v1/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: staff.email, password: staffPassword }),
    });
    assert.equal(response.status, 201);
    const entries = await sql<Entry>(
      service.database,
      'SELECT action, source FROM audit_entries WHERE entry_id > $1',
      [last],
    );
    assert.deepEqual(entries, [{ action: 'staff.session.begin', source: 'console 127.0.0.1' }]);
  });

  test('sessions and accounts', async () => {
    const password = 'another long password';
    const body = { password: staffPassword };
    await wrote('operator.session.stepUp', { body }, ['staff.session.step-up: sessionId']);
    const signIn = { body: { email: staff.email, password: staffPassword } };
    const { sessionId } = await wrote(
      'operator.session.begin',
      signIn,
      ['staff.session.begin: sessionId userAgent'],
      operatorWith(service, staff.operator.name, {}),
    );
    await wrote('operator.session.endOther', { params: { sessionId } }, ['staff.session.end']);
    const ends = ': endedSessions';
    await wrote('operator.account.changePassword', { body: { password } }, [
      `staff.password.change${ends}`,
    ]);
    const { secret } = await wrote('operator.account.beginSecondFactor', { body: {} }, [
      'staff.second-factor.begin',
    ]);
    const code = codeOf(decodedSecret(secret), stepAt(Date.now()));
    await wrote('operator.account.confirmSecondFactor', { body: { code } }, [
      `staff.second-factor.add${ends}`,
    ]);
    await wrote('operator.staff.requireSecondFactor', { body: { required: true } }, [
      'staff.require-second-factor: required',
    ]);
    await wrote('operator.staff.requireSecondFactor', { body: { required: false } }, [
      'staff.require-second-factor: required',
    ]);
    await wrote('operator.account.removeSecondFactor', {}, [`staff.second-factor.remove${ends}`]);
    const passkey = new SoftPasskey(new URL(testBaseUrl).origin);
    const { options } = await wrote('operator.account.beginPasskey', { body: {} }, none);
    const { passkeyId } = await wrote(
      'operator.account.addPasskey',
      { body: { name: 'key', credential: passkey.make(options) } },
      [`staff.passkey.add${ends} passkey`],
    );
    await wrote('operator.session.beginPasskeyStepUp', { body: {} }, none);
    await wrote('operator.session.beginPasskey', { body: { email: staff.email, password } }, none);
    await wrote('operator.account.removePasskey', { params: { passkeyId } }, [
      `staff.passkey.remove${ends} passkey`,
    ]);
    const other = await signedIn(service, 'viewer');
    await wrote('operator.session.end', {}, ['staff.session.end'], other.operator);
  });

  test('members of staff and tokens', async () => {
    const { operator, email } = await signedIn(service, 'viewer');
    const { secret } = await operator.done('operator.account.beginSecondFactor', { body: {} });
    const code = codeOf(decodedSecret(secret), stepAt(Date.now()));
    await operator.done('operator.account.confirmSecondFactor', { body: { code } });
    const { items } = await staff.operator.done('operator.staff.list');
    const { staffId } = items.find((one) => one.email === email)!;
    const about = { params: { staffId }, body: {} };
    const role = { params: { staffId }, body: { role: 'reservations' as const } };
    await wrote('operator.staff.change', role, ['staff.set-role: email before after']);
    await wrote('operator.staff.removeSecondFactor', { params: { staffId } }, [
      'staff.second-factor.remove: email endedSessions passkeys',
    ]);
    await wrote('operator.staff.endSessions', about, ['staff.end-sessions: email endedSessions']);
    await wrote('operator.staff.disable', about, ['staff.disable: email endedSessions']);
    await wrote('operator.staff.disable', about, none);
    await wrote('operator.staff.enable', about, ['staff.enable: email']);
    const invited = 'invited@staff.example';
    const invite = { body: { email: invited, role: 'viewer' as const } };
    const { url } = await wrote('operator.staff.invite', invite, [
      'staff.invite: email role expiresAt',
    ]);
    const invitation = url.split('#invitation=')[1]!;
    const found = await wrote('operator.invitation.find', { body: { invitation } }, none);
    assert.deepEqual(found, { email: invited, role: 'viewer' });
    await wrote(
      'operator.invitation.accept',
      { body: { invitation, password: staffPassword } },
      ['staff.invitation.accept'],
      operatorWith(service, `staff ${invited}`, {}),
    );
    const token = { body: { name: 'nightly', role: 'viewer' as const } };
    const { tokenId } = await wrote('operator.token.issue', token, [
      'staff.token.issue: tokenId name role expiresAt',
    ]);
    await wrote('operator.token.revoke', { params: { tokenId }, body: {} }, [
      'staff.token.revoke: tokenId name',
    ]);
  });

  test('applications, keys, endpoints and deliveries', async () => {
    const application = { name: 'Harbour', settlement: 'partner', grants: ['catalog'] } as const;
    const { applicationId } = await wrote(
      'operator.application.create',
      { body: { ...application, grants: ['catalog'] } },
      ['application.create: name settlement grants quotas catalogId', 'key.issue: keyId expiresAt'],
    );
    const params = { applicationId };
    const change = { params, body: { adjustPercent: 8 } };
    await wrote('operator.application.change', change, ['application.set: before after']);
    await wrote('operator.application.change', change, none);
    await wrote('operator.application.setQuotas', { params, body: { search: 7 } }, [
      'application.set-quota: before after',
    ]);
    await wrote('operator.application.suspend', { params, body: { reason } }, [
      'application.suspend: reason before after',
    ]);
    await wrote('operator.application.resume', { params, body: {} }, [
      'application.resume: before after',
    ]);
    await wrote('operator.application.portalLink', { params, body: {} }, [
      'portal.link: expiresAt',
    ]);
    const bo = { name: 'Bo Lind', email: 'bo@partner.example' };
    const invited = await wrote('operator.portalPerson.invite', { params, body: bo }, [
      'portal.person.invite: name email expiresAt',
    ]);
    await new PortalCaller(service.origin).enter(invited.url.split('#link=')[1]!);
    const people = await staff.operator.done('operator.portalPerson.list', { params });
    const { personId } = invited;
    const { sessionId } = people.items[0]!.sessions[0]!;
    await wrote('operator.portalSession.end', { params: { ...params, sessionId } }, [
      'portal.session.end: sessionId',
    ]);
    await wrote('operator.portalPerson.remove', { params: { ...params, personId } }, [
      'portal.person.remove: name email',
    ]);
    const { keyId } = await wrote('operator.key.issue', { params, body: {} }, [
      'key.issue: keyId expiresAt',
    ]);
    await wrote('operator.key.revoke', { params: { keyId }, body: {} }, ['key.revoke: keyId']);
    await wrote('operator.signingKey.rotate', { body: {} }, ['signing-key.rotate: keyId']);

    const url = 'https://partner.example.com/hook';
    const { endpointId } = await wrote('operator.endpoint.add', { params, body: { url } }, [
      'webhook.endpoint.add: endpointId url eventTypes',
    ]);
    const endpoint = { params: { endpointId }, body: {} };
    await wrote('operator.endpoint.pause', endpoint, [
      'webhook.endpoint.pause: endpointId before after',
    ]);
    await writeDeliveries(service.database, { applicationId, endpointId }, ['exhausted']);
    const { items } = await staff.operator.done('operator.delivery.list', { params });
    const { deliveryId } = items[0]!;
    const since = new Date(Date.now() - 3_600_000).toISOString();
    await wrote('operator.endpoint.replayFailed', { ...endpoint, body: { since } }, [
      'webhook.endpoint.replay: endpointId what since',
    ]);
    await wrote('operator.endpoint.replayMissed', endpoint, [
      'webhook.endpoint.replay: endpointId what',
    ]);
    await wrote('operator.delivery.replay', { params: { deliveryId }, body: {} }, [
      'webhook.delivery.replay: deliveryId',
    ]);
    await wrote('operator.endpoint.rotateSecret', endpoint, [
      'webhook.endpoint.rotate-secret: endpointId',
    ]);
    await wrote('operator.endpoint.resume', { ...endpoint, body: { missed: 'skip' } }, [
      'webhook.endpoint.resume: endpointId missed before after',
    ]);
    await wrote('operator.endpoint.delete', { params: { endpointId } }, [
      'webhook.endpoint.delete: endpointId before',
    ]);
  });

  test('homes, pictures, rates and promotions', async () => {
    const { items } = await staff.operator.done('operator.catalog.list');
    const catalog = items[0]!.slug;
    const home = {
      slug: 'audited',
      name: 'Audited',
      timeZone: 'Europe/Lisbon',
      sleeps: 2,
      currency: 'EUR',
    };
    const listing = { ...home, rates: { nightly: 10_000 } };
    const added = await wrote('operator.listing.add', { body: { catalog, listing } }, [
      'listing.add: listing catalog',
    ]);
    const params = { listing: home.slug };
    const { version } = added;
    const renamed = { version, catalog, listing: { ...added.listing, name: 'Renamed' } };
    const members = ['listing.change: listing members'];
    await wrote('operator.listing.change', { params, body: renamed }, members);
    await wrote('operator.listing.withdraw', { params, body: { catalog } }, [
      'listing.withdraw: listing catalog before',
    ]);
    await wrote('operator.listing.offer', { params, body: { catalog } }, [
      'listing.offer: listing catalog before after',
    ]);
    const draft = {
      listing,
      checkIn: daysAhead(30),
      checkOut: daysAhead(32),
      party: { adults: 1 },
    };
    await wrote('operator.listing.price', { body: draft }, none);

    const replacement = { find: 'Renamed', replaceWith: 'Named', text: home.slug };
    await wrote('operator.listing.previewReplaceText', { body: replacement }, none);
    const replaced = await wrote('operator.listing.replaceText', { body: replacement }, members);
    const replacementId = replaced.changeId!;
    await wrote('operator.listing.undoReplaceText', { params: { replacementId }, body: {} }, [
      'listing.undo: changeId homes homesInAll',
    ]);

    const background = { r: 1, g: 2, b: 3 };
    const image = sharp({ create: { width: 640, height: 400, channels: 3, background } });
    const { pictureId } = await wrote(
      'operator.picture.upload',
      { bytes: await image.png().toBuffer() },
      ['picture.upload: pictureId width height'],
    );
    const picture = { ...params, pictureId };
    await wrote('operator.picture.add', { params, body: { pictureId, alt: 'A door' } }, members);
    await wrote('operator.picture.set', { params: picture, body: { alt: 'The door' } }, members);
    await wrote('operator.picture.remove', { params: picture }, members);

    const [from, to] = [daysAhead(40), daysAhead(42)];
    const rates = { listings: [home.slug], from, to, nightly: 20_000 };
    await wrote('operator.rate.previewSet', { body: rates }, none);
    const set = await wrote('operator.rate.set', { body: rates }, [
      'rate.set: from to nightly changeId homes',
    ]);
    await wrote('operator.rate.undo', { params: { rateChangeId: set.changeId! }, body: {} }, [
      'rate.undo: changeId homes homesInAll',
    ]);
    const made = {
      listing: home.slug,
      checkIn: daysAhead(200),
      checkOut: daysAhead(207),
      party: { adults: 1 },
      guest: guest(),
      ignoreRules: true,
      reason,
    };
    await wrote('operator.reservation.previewCreate', { body: made }, none);
    await wrote('operator.reservation.create', { body: made }, [
      // That of the reservations desk, with its first reservation.
      'application.create',
      'reservation.create: reason checkoutId stay party total pay ignoredRules',
    ]);
    const bulk = [{ listing: home.slug, dates: [{ date: daysAhead(45), nightly: 100 }] }];
    await wrote('operator.rate.setBulk', { body: { rates: bulk } }, [
      'rate.set-bulk: listings dates first unusualNights',
    ]);
    const { items: waiting } = await staff.operator.done('operator.attention.list', { query: {} });
    const changeId = waiting.find(({ kind }) => kind === 'unusual_prices')!.subject;
    await wrote('operator.rate.confirmUnusual', { params: { changeId }, body: {} }, [
      'rate.confirm-unusual: changeId about',
    ]);
    const file = `listing,from,to,nightly\n${home.slug},${from},${to},12345`;
    await wrote('operator.rate.import', { body: { file, dryRun: true } }, none);
    await wrote('operator.rate.import', { body: { file } }, ['rate.import: first']);
    const head = { slug: catalog, name: items[0]!.name, discovery: 'brand' };
    const listings = [{ ...listing, name: 'Imported' }];
    const catalogFile = JSON.stringify({ format: 'latchkey-catalog/1', catalog: head, listings });
    await wrote('operator.catalog.import', { body: { file: catalogFile, dryRun: true } }, none);
    await wrote('operator.catalog.import', { body: { file: catalogFile } }, [
      'catalog.import: catalog mode changes first',
    ]);

    const promotion = { code: 'AUDIT20', label: 'Audit', percent: 15 };
    await wrote('operator.promotion.add', { body: { catalog, promotion } }, [
      'promotion.add: code catalog promotion',
    ]);
    const code = { code: promotion.code };
    const lower = { promotion: { ...promotion, percent: 10 } };
    await wrote('operator.promotion.change', { params: code, body: lower }, [
      'promotion.change: code members',
    ]);
    await wrote('operator.promotion.pause', { params: code, body: {} }, [
      'promotion.pause: code uses',
    ]);
    await wrote('operator.promotion.resume', { params: code, body: {} }, [
      'promotion.resume: code uses',
    ]);
    await wrote('operator.promotion.end', { params: code, body: {} }, ['promotion.end: code uses']);
  });

  test('nights, and calendars of other channels', async () => {
    const { items } = await staff.operator.done('operator.listing.list', { query: { limit: 1 } });
    const listing = items[0]!.slug;
    const nights = { listing, from: daysAhead(600), to: daysAhead(603) };
    const { blockId } = await wrote('operator.block.add', { body: { ...nights, reason } }, [
      'block.add: blockId listing from to reason',
    ]);
    await wrote('operator.block.add', { body: { ...nights, reason } }, none);
    await wrote('operator.block.add', { body: { ...nights, reason: 'Painting' } }, [
      'block.add: blockId before',
    ]);
    await wrote('operator.block.remove', { params: { blockId } }, [
      'block.remove: blockId listingId from to reason source',
    ]);
    const file = `listing,from,to,reason\n${listing},${daysAhead(610)},${daysAhead(612)},Roof`;
    await wrote('operator.block.import', { body: { file, dryRun: true } }, none);
    await wrote('operator.block.import', { body: { file } }, ['block.import: added first']);

    const feed = feedOf({ uid: 'a', from: daysAhead(620), to: daysAhead(622) });
    const feeds = await Receiver.start((response) => void response.writeHead(200).end(feed));
    const { calendarId } = await wrote(
      'operator.channelCalendar.add',
      { body: { listing, url: feeds.url('/secret.ics') } },
      ['channel-calendar.add: calendarId listing origin'],
    );
    const params = { calendarId };
    // The worker reads it first.
    await eventually(async () => {
      const { items: calendars } = await staff.operator.done('operator.channelCalendar.list');
      return calendars.some((one) => one.calendarId === calendarId && one.state === 'ok');
    }, 20_000);
    await wrote('operator.channelCalendar.refresh', { params, body: {} }, [
      'channel-calendar.refresh: calendarId listing added removed',
    ]);
    await wrote('operator.channelCalendar.set', { params, body: { end: 'night' } }, [
      'channel-calendar.set: calendarId listing ignore end free userAgent source',
    ]);
    const shrink = () =>
      sql(
        service.database,
        `UPDATE channel_calendars SET shrunk_since = now(), due_at = now() + interval '1 hour', fence = fence + 1
          WHERE calendar_id = $1`,
        [calendarId],
      );
    await shrink();
    await wrote('operator.channelCalendar.keep', { params, body: {} }, [
      'channel-calendar.keep: calendarId listing',
    ]);
    await shrink();
    await wrote('operator.channelCalendar.accept', { params, body: {} }, [
      'channel-calendar.accept: calendarId listing added removed',
    ]);
    await feeds.close();
    await wrote(
      'operator.channelCalendar.import',
      { body: { listing, name: 'a.ics', file: feed } },
      ['channel-calendar.import: calendarId listing file'],
    );
    await wrote('operator.channelCalendar.address', { body: { listing } }, [
      'channel-calendar.address: listing',
    ]);
    await wrote('operator.channelCalendar.address', { body: { listing, rotate: true } }, [
      'channel-calendar.rotate: listing',
    ]);
    await wrote('operator.channelCalendar.remove', { params }, [
      'channel-calendar.remove: calendarId listing freedBlocks',
    ]);
    const stay = { source: 'pms', externalId: 'R-1' };
    const soldNights = { listing, from: '2027-03-01', to: '2027-03-03' };
    await wrote('operator.outsideStay.put', { params: stay, body: soldNights }, [
      'outside-stay.put: source externalId listing listingId from to',
    ]);
    await wrote('operator.outsideStay.remove', { params: stay }, [
      'outside-stay.remove: source externalId listing listingId from to',
    ]);
    const trail = JSON.stringify(await staff.operator.done('operator.audit.list'));
    assert.doesNotMatch(trail, /secret\.ics|\/calendars\//);
  });

  const submitted = (): Promise<Journey> => submittedByCard(service, card);
  const ends = (journey: Journey, state: string) =>
    eventually(async () => (await journey.read()).state === state, 20_000);

  test('reservations and their money', async () => {
    const journey = await submitted();
    await ends(journey, 'confirmed');
    const { reference = '' } = await journey.read();
    const params = { reference };
    const { checkIn, checkOut } = journey.open.quote;
    const moved = { checkIn: plusDays(checkIn, 700), checkOut: plusDays(checkOut, 700) };
    await wrote('operator.reservation.previewChange', { params, body: moved }, none);
    await wrote('operator.reservation.change', { params, body: { ...moved, reason } }, [
      'reservation.change: reason changes before after events',
    ]);
    const { collected } = await staff.operator.done('operator.payment.get', { params });
    const amount = { amount: collected - 100 };
    await wrote('operator.payment.previewRefund', { params, body: amount }, none);
    await wrote('operator.payment.refund', { params, body: { ...amount, reason } }, [
      'payment.refund: reason amount currency before after',
    ]);
    await eventually(async () => {
      const { refunded } = await staff.operator.done('operator.payment.get', { params });
      return refunded === amount.amount;
    }, 20_000);
    const record = { kind: 'refunded' as const, amount: 10, method: 'cash' };
    await wrote('operator.payment.previewRecord', { params, body: record }, none);
    await wrote('operator.payment.record', { params, body: { ...record, reason } }, [
      'payment.record: reason amount currency before after kind method happenedOn',
    ]);
    await sql(
      service.database,
      `UPDATE reservations SET version = version + 1, charges = jsonb_set(jsonb_set(charges::jsonb, '{total}',
          to_jsonb((charges->>'total')::bigint + 100000)), '{schedule}',
          (charges->'schedule')::jsonb || '[{"dueOn": "2099-01-01", "amount": 100000}]')::json
        WHERE reference = $1`,
      [reference],
    );
    await wrote('operator.payment.previewReduce', { params, body: { amount: 10 } }, none);
    await wrote('operator.payment.reduce', { params, body: { amount: 10, reason } }, [
      'payment.reduce: reason amount currency before after',
    ]);
    await wrote('operator.payment.stop', { params, body: { reason } }, [
      'payment.stop: reason refusals attention open currency',
    ]);
    await wrote('operator.payment.start', { params, body: { reason } }, [
      'payment.start: reason refusals attention open currency',
    ]);
    // A worker that has claimed the account must not write what it decided before.
    await makeMoneyWait(service.database, reference);
    await wrote('operator.payment.retry', { params, body: { reason } }, [
      'payment.start: reason refusals attention open',
    ]);
    await wrote('operator.payment.link', { params }, ['payment.link: amount currency']);
    await wrote('operator.payment.reconcile', { body: { since: daysAhead(-1) } }, none);
    await wrote('operator.reservation.previewCancel', { params, body: {} }, none);
    const noted = { params, body: { text: 'Arrives late.' } };
    const { noteId } = await wrote('operator.reservation.addNote', noted, [
      'reservation.note.add: noteId',
    ]);
    await wrote('operator.reservation.removeNote', { params: { ...params, noteId } }, [
      'reservation.note.remove: noteId author',
    ]);
    await wrote('operator.reservation.cancel', { params, body: { reason } }, [
      'reservation.cancel: reason before after events',
    ]);
  });

  test('what partners ask to change', async () => {
    const journey = await submitted();
    await ends(journey, 'confirmed');
    const { reference = '' } = await journey.read();
    const ask = async () => {
      const body = { changeRequestId: randomUUID(), kind: 'cancel' as const };
      await card.succeed('reservation.change.request', { params: { reference }, body }, 201);
      return { params: { changeRequestId: body.changeRequestId }, body: { reason } };
    };
    await wrote('operator.changeRequest.decline', await ask(), [
      'change-request.decline: changeRequestId reason',
    ]);
    const asked = await ask();
    await wrote('operator.changeRequest.previewAccept', asked, none);
    await wrote('operator.changeRequest.accept', asked, [
      'reservation.cancel: reason before after balances changeRequestId events',
    ]);
  });

  test('a checkout whose outcome is not known', async () => {
    service.standIn.faultOf = ({ name }) => (name.endsWith('/capture') ? 'cut_before' : null);
    const journey = await submitted();
    await ends(journey, 'uncertain');
    await sql(
      service.database,
      `UPDATE bookings SET due_at = NULL, fence = fence + 1 WHERE booking_id = $1`,
      [journey.checkoutId],
    );
    service.standIn.faultOf = () => null;
    const params = { checkoutId: journey.checkoutId };
    const as = 'confirmed' as const;
    const preview = await wrote('operator.checkout.previewResolve', { params, body: { as } }, none);
    assert.deepEqual(preview.availability, { isFree: true, taken: [] });
    const { supply, payments } = preview.evidence;
    assert.deepEqual([supply, payments.map(({ state }) => state)], ['held', ['authorized']]);
    await wrote('operator.checkout.resolve', { params, body: { as, reason } }, [
      'checkout.resolve: reason as checkoutId kind stay total evidence before after events',
    ]);
    const { items } = await staff.operator.done('operator.audit.list', { query: { limit: 1 } });
    const { evidence } = items[0]!.details as { evidence: { payments: { state: string }[] } };
    assert.deepEqual(
      evidence.payments.map(({ state }) => state),
      ['authorized'],
    );
    await eventually(async () => {
      const resolved = await staff.operator.done('operator.checkout.get', { params });
      return resolved.evidence.payments.every(({ state }) => state === 'captured');
    });
  });

  test('the money of a checkout that has failed', async () => {
    service.standIn.faultOf = ({ name, request: { method } }) => {
      if (name.endsWith('/capture')) return 'cut_after';
      return method === 'GET' && name.includes('/payment_intents') ? '429' : null;
    };
    const journey = await submitted();
    await ends(journey, 'uncertain');
    await sql(
      service.database,
      `UPDATE bookings SET due_at = NULL, fence = fence + 1 WHERE booking_id = $1`,
      [journey.checkoutId],
    );
    service.standIn.faultOf = () => null;
    service.standIn.refundRefusal = 'balance_insufficient';
    const params = { checkoutId: journey.checkoutId };
    const resolution = { as: 'failed' as const, reason };
    await staff.operator.done('operator.checkout.resolve', { params, body: resolution });
    const waits = async () => {
      const { items } = await staff.operator.done('operator.attention.list', {
        query: { money: true },
      });
      return items.find(({ checkoutId }) => checkoutId === journey.checkoutId);
    };
    await eventually(async () => (await waits())?.kind === 'refund_refused', 30_000);
    service.standIn.refundRefusal = null;
    const amount = (await waits())!.amount!;
    const body = { amount, method: 'bank transfer' };
    await wrote('operator.payment.previewRecordReturn', { params, body }, none);
    await wrote('operator.payment.recordReturn', { params, body: { ...body, reason } }, [
      'payment.record-return: checkoutId reason amount currency left method happenedOn',
    ]);
    await eventually(async () => (await waits()) === undefined, 30_000);
  });

  test('one guest', async () => {
    const journey = await submitted();
    await ends(journey, 'confirmed');
    const { reference } = (await journey.read()) as { reference: string };
    await wrote('operator.search.find', { body: { text: reference } }, none);
    await wrote('operator.guest.find', { body: { reference } }, none);
    await wrote('operator.guest.export', { body: { reference } }, ['guest.export: by bookings']);
    // As if it were over, and nothing more were to be paid.
    await sql(
      service.database,
      `WITH gone AS (DELETE FROM occupancies WHERE reference = $1)
        UPDATE reservations SET check_in = '2026-01-02', check_out = '2026-01-04' WHERE reference = $1`,
      [reference],
    );
    const { open } = await staff.operator.done('operator.payment.get', { params: { reference } });
    if (open > 0) {
      const body = { kind: 'written_off' as const, amount: open, method: 'none', reason };
      await staff.operator.done('operator.payment.record', { params: { reference }, body });
    }
    await wrote('operator.guest.previewErase', { body: { reference } }, none);
    const erased = await wrote('operator.guest.erase', { body: { reference, reason } }, [
      'guest.erase: reason by bookings',
    ]);
    assert.equal(erased.cardProvider, 'erased');
  });

  test('a restore', async () => {
    await wrote('operator.restore.declare', { body: { reason } }, [
      'restore.declare: reason epoch',
    ]);
    await sql(
      service.database,
      `INSERT INTO adopted_effects (provider_reference, epoch, kind, amount_minor, currency, outcome)
        SELECT 'pi_unmatched', max(epoch), 'payment', 100, 'USD', 'unmatched' FROM epochs`,
    );
    const effect = { params: { effectId: 'pi_unmatched' }, body: { reason } };
    await wrote('operator.restore.close', effect, ['restore.close: reason effect amount currency']);
    assert.equal((await staff.operator.refused('operator.restore.close', effect)).status, 409);
  });

  test('a clock', async () => {
    await sql(
      service.database,
      `UPDATE clock SET held_since = now(), line_less_wall_ms = 0, shown_from = now(), shown_until = now()`,
    );
    await wrote('operator.clock.confirm', { body: { reason } }, [
      'clock.confirm: reason databaseTime expectedTime held since',
    ]);
  });

  // Spec: OPERATOR-4.
  test('every act is audited here', () => {
    // They need a provider: provider.test.ts. A test alert changes nothing here: alerts.test.ts.
    const elsewhere = [
      'operator.provider.begin',
      'operator.provider.complete',
      'operator.alert.test',
    ];
    const changing = operatorOperationIds.filter((id) => changesSomething(operatorRowOf(id)));
    assert.deepEqual(
      changing.filter((id) => !audited.has(id)),
      elsewhere,
    );
  });

  test('no secret and no guest is in it', async () => {
    const rows = await sql<{ text: string }>(
      service.database,
      'SELECT details::text AS text FROM audit_entries',
    );
    const text = rows.map((row) => row.text).join('\n');
    assert.doesNotMatch(text, /whsec_|lko_|lk_test_|Lovelace|ada@|argon2/i);
  });

  suite('operator.audit.list', () => {
    test('newest first, in pages, with the actor of each act', async () => {
      const operator = await operatorOf(service);
      await operatorOf(service, 'viewer');
      const query = { limit: 500 };
      const all = await operator.done('operator.audit.list', { query });
      assert.equal(all.items[0]?.action, 'staff.token.issue');
      assert.equal(all.items[0]?.details['role'], 'viewer');
      const first = await operator.done('operator.audit.list', { query: { limit: 1 } });
      const rest = await operator.done('operator.audit.list', {
        query: { ...query, cursor: first.nextCursor! },
      });
      assert.deepEqual([...first.items, ...rest.items], all.items);
    });

    // Spec: OPERATOR-21.
    test('only an action, only some days in UTC or another time zone, and both', async () => {
      const operator = await operatorOf(service);
      await sql(
        service.database,
        `INSERT INTO audit_entries (actor, happened_at, action, details)
          SELECT actor, ('2090-' || at)::timestamptz, action, '{}'
          FROM unnest($1::text[], $2::text[], $3::text[]) AS a (actor, at, action)`,
        [
          ['weeks before', 'before', 'first', 'noon', 'last', 'after', 'slow', 'weeks after'],
          [
            '02-01T00:00Z',
            '02-28T23:59:59.999Z',
            '03-01T00:00Z',
            '03-01T12:00Z',
            '03-02T23:59:59.999Z',
            '03-03T00:00Z',
            // Its transaction began before the one above, and wrote later.
            '03-02T23:00Z',
            '04-01T00:00Z',
          ],
          Array.from({ length: 8 }, (_, at) => (at === 3 ? 'block.remove' : 'block.add')),
        ],
      );
      const listed = async (query: OperatorQueryOf<'operator.audit.list'>) => {
        const { items } = await operator.done('operator.audit.list', { query });
        return items.map(({ actor }) => actor);
      };
      const days = { from: '2090-03-01', until: '2090-03-02' };
      assert.deepEqual(await listed(days), ['slow', 'last', 'noon', 'first']);
      assert.deepEqual(await listed({ ...days, action: 'block.remove' }), ['noon']);
      assert.deepEqual(await listed({ from: '2090-03-03' }), ['weeks after', 'after']);
      const ahead = await listed({ ...days, timeZone: 'Pacific/Kiritimati' });
      assert.deepEqual(ahead, ['noon', 'first', 'before']);
      const behind = await listed({ ...days, timeZone: 'Etc/GMT+12' });
      assert.deepEqual(behind, ['slow', 'after', 'last', 'noon']);
      const until = await listed({ until: '2090-02-28', action: 'block.add' });
      assert.deepEqual(until.slice(0, 2), ['before', 'weeks before']);
      assert.ok(until.includes(staff.operator.name), 'also what was done here');
    });

    test('400 invalid_input › an unknown action, a day or a time zone that does not exist', async () => {
      const operator = await operatorOf(service);
      for (const query of [
        { action: 'block' as never },
        { from: '2090-02-30' },
        { from: '2090-02-03', timeZone: 'Europe/Atlantis' },
      ]) {
        const { status, code } = await operator.refused('operator.audit.list', { query });
        assert.deepEqual([status, code], [400, 'invalid_input']);
      }
    });

    test('400 invalid_input › a cursor of another filter', async () => {
      const operator = await operatorOf(service);
      const { nextCursor } = await operator.done('operator.audit.list', { query: { limit: 1 } });
      const query = { cursor: nextCursor!, actor: 'nobody' };
      const refusal = await operator.refused('operator.audit.list', { query });
      assert.deepEqual([refusal.status, refusal.code], [400, 'invalid_input']);
      assert.deepEqual(wrongPaths(refusal), ['query/cursor']);
    });

    test('401 unauthenticated › no token, another token', async () => {
      for (const headers of [{}, { authorization: 'Bearer lko_unknown' }]) {
        const refusal = await operatorWith(service, '', headers).refused('operator.audit.list');
        assert.equal(refusal.status, 401);
        assert.deepEqual(refusal.details, { reason: 'credentials' });
      }
    });
  });
});
