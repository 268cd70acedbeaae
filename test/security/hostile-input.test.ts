/** Hostile input is bounded before it is worked through, and what is long is worked through in slices. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { longJsonOf, ownTurn } from '../../src/api/body.ts';
import { jsonBounds } from '../../src/api/json-bounds.ts';
import { exportReservations } from '../../src/bookings/staff/export-reservations.ts';
import { readEntry } from '../../src/catalog/file/entries.ts';
import { createProblemList } from '../../src/catalog/file/problems.ts';
import { readCatalogFile } from '../../src/catalog/file/read-catalog-file.ts';
import { textSource } from '../../src/catalog/file/sources.ts';
import { operatorOperations } from '../../src/contract/operator/operations.ts';
import { operations } from '../../src/contract/partner/operations.ts';
import { portalOperations } from '../../src/contract/portal/operations.ts';
import type { InvalidField } from '../../src/contract/errors.ts';
import type { Row } from '../../src/contract/rows.ts';
import { exportPayments } from '../../src/payments/staff/export-payments.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import type { Vault } from '../../src/platform/vault.ts';
import { send } from '../harness/http-client.ts';
import { operatorOf, operatorTokenOf, type Operator } from '../harness/operator.ts';
import type { Partner } from '../harness/partner.ts';
import { startTestService, ownHomes, type TestService } from '../harness/service.ts';
import {
  hostileBodies,
  hostileCatalogs,
  hostileHomes,
  largeBodies,
} from '../harness/hostile-input.ts';

/** Runs work, and counts the turns of the event loop that other calls get meanwhile. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}

suite('large bodies', () => {
  test('that have arrived together are worked through with other calls between them', async () => {
    let turn = 0;
    let isOver = false;
    const next = () => {
      turn += 1;
      if (!isOver) setImmediate(next);
    };
    next();
    const own = async () => {
      await ownTurn();
      return turn;
    };
    const turns = await Promise.all([own(), own(), own(), own()]);
    isOver = true;
    assert.equal(new Set(turns).size, 4, turns.join());
  });
});

suite('what a viewer exports', () => {
  const rowsOf = (rows: object[]): Executor => ({
    vault: { open: () => '{"firstName":"Ada","lastName":"Byron"}' } as unknown as Vault,
    query: () => Promise.resolve(rows as never[]),
  });

  test('is put together with other calls between its slices, however many stays and entries it has', async () => {
    const stays = Array.from({ length: 2_000 }, (_, at) => ({
      reference: `LK-${at}`,
      application_id: 'one',
      booking_id: String(at),
      guest_sealed: Buffer.alloc(1),
      checkIn: '2027-01-01',
      checkOut: '2027-01-03',
      confirmedAt: 0,
      cancelledAt: null,
    }));
    const period = { from: '2027-01-01', to: '2027-02-01' };
    const ofStays = await turnsDuring(async () => {
      const exported = await exportReservations(rowsOf(stays), period);
      assert.ok('items' in exported);
      assert.equal(exported.items.length, 2_000);
      assert.equal(exported.items[1_999]?.guestName, 'Ada Byron');
    });
    assert.ok(ofStays >= 2_000 / 200, `${ofStays} turns`);
    const entries = Array.from({ length: 5_000 }, (_, at) => ({ entryId: at, at: 0, amount: at }));
    const ofEntries = await turnsDuring(async () => {
      const exported = await exportPayments(rowsOf(entries), period);
      assert.ok('items' in exported);
      assert.equal(exported.items.length, 10_000);
    });
    assert.ok(ofEntries >= 5, `${ofEntries} turns`);
  });
});

suite('a body with a long text', () => {
  test('is parsed in slices', async () => {
    const megabytes = 9;
    const text = '0123456789abcde\n'.repeat(megabytes * 65_536);
    const bytes = Buffer.from(JSON.stringify({ file: text, dryRun: true }));
    const bounds = jsonBounds();
    bounds.add(bytes);
    const turns = await turnsDuring(async () => {
      const body = await longJsonOf(bytes, bounds.long, bounds.members);
      assert.ok(typeof body === 'object' && body !== null && 'file' in body && 'dryRun' in body);
      assert.ok(body.file === text && body.dryRun === true);
    });
    assert.ok(turns >= megabytes, `${turns} turns`);
  });
});

suite('hostile catalogs', () => {
  for (const [name, { text, problems: found, slices }] of Object.entries(hostileCatalogs)) {
    test(`${name} › is read in slices, and told in a hundred problems`, async () => {
      const problems = createProblemList();
      const turns = await turnsDuring(async () => {
        for await (const batch of readCatalogFile(textSource(text), problems)) void batch;
      });
      const { first, count, isStopped } = problems.all();
      assert.equal(first.length, Math.min(100, found));
      assert.equal(isStopped, found === 10_000);
      // The problems of the last home are all counted.
      assert.ok(count >= found && count < found + 10, `${count} problems`);
      assert.ok(turns >= slices, `${turns} turns`);
    });
  }
});

suite('hostile homes', () => {
  for (const [name, home] of Object.entries(hostileHomes)) {
    test(`${name} › is told in at most a thousand problems`, () => {
      const { problems } = readEntry('listings', home);
      assert.ok(problems.length <= 1_100, `${problems.length} problems`);
    });
  }
});

const takesJson = ({ body, path, method }: Row): boolean =>
  body !== undefined && method !== 'GET' && !path.includes('{');

suite('hostile bodies', () => {
  let service: TestService;
  let partner: Partner;
  let viewer: string;
  let staff: Operator;
  before(async () => {
    service = await startTestService({ ...ownHomes, LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
    viewer = await operatorTokenOf(service, 'viewer');
    staff = await operatorOf(service, 'viewer');
  });
  after(() => service.stop());

  async function sent(row: Row, token: string, body: string) {
    const { status, text } = await send(`${service.origin}${row.path}`, {
      method: row.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    });
    const { error } = JSON.parse(text) as { error: { details?: { fields: InvalidField[] } } };
    return { status, fields: error.details?.fields ?? [] };
  }

  const partnerRows = Object.entries<Row>(operations).filter(([, row]) => takesJson(row));
  for (const [name, { text, message }] of Object.entries(hostileBodies)) {
    test(`${name} › no operation of partners takes it`, async () => {
      for (const [id, row] of partnerRows) {
        const { status, fields } = await sent(row, await partner.token(), text);
        assert.equal(status, 400, id);
        assert.equal(fields[0]?.message, message, id);
      }
      await partner.succeed('distribution.site.get');
    });
  }

  for (const [name, text] of Object.entries(largeBodies)) {
    // Spec: CALL-20.
    test(`${name} › are refused before they are parsed`, async () => {
      const row = operatorOperations['operator.listing.price'];
      const { status, fields } = await sent(row, viewer, text);
      assert.equal(status, 400);
      assert.deepEqual(fields, [{ path: '', message: 'must not have more than 100000 values' }]);
    });
  }

  for (const [name, listing] of Object.entries(hostileHomes)) {
    test(`a draft with ${name} › is priced, or refused with at most 100 fields`, async () => {
      const draft = {
        listing,
        checkIn: '2027-03-01',
        checkOut: '2027-03-04',
        party: { adults: 1 },
      };
      const { status, body } = await staff.send('operator.listing.price', { body: draft });
      if (status === 200) return;
      const { error } = body as { error: { details: { fields: InvalidField[] } } };
      assert.equal(status, 400);
      assert.ok(error.details.fields.length <= 100);
    });
  }

  test('an address of 16,000 @ at sign-in › is refused for its form', async () => {
    const row = operatorOperations['operator.session.begin'];
    const body = { email: `${'@'.repeat(16_000)} `, password: 'x' };
    const { status, text } = await send(`${service.origin}${row.path}`, {
      method: row.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(status, 400, text);
  });

  test('every operation that takes a large body has few slots', () => {
    for (const table of [operations, portalOperations, operatorOperations]) {
      for (const [id, row] of Object.entries<Row>(table)) {
        if (row.bodyBytes !== undefined) assert.ok(row.atOnce! <= 4, id);
      }
    }
  });
});
