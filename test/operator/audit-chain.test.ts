/** The audit trail as a chain: what is changed, removed or added outside of it is found. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import {
  chainAllAuditEntries,
  chainAuditEntries,
  removeOldAuditEntries,
} from '../../src/platform/audit/audit-chain.ts';
import { readAuditBatch } from '../../src/platform/audit/audit-links.ts';
import { startAuditPosting } from '../../src/platform/audit/post-audit-trail.ts';
import { insertAuditEntry, listAuditEntries } from '../../src/platform/audit/audit-entries.ts';
import { type AuditPart, verifyAuditTrail } from '../../src/platform/audit/verify-chain.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { eventually } from '../harness/eventually.ts';
import { assertGuideShows } from '../harness/guide-blocks.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { type Arrival, Receiver, respond } from '../harness/receiver.ts';
import { recordsSecret, verifiedRecord } from '../harness/records.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const reason = 'The owner has called.';

suite('operator.audit › the chain', () => {
  let service: TestService;
  let operator: Operator;

  before(async () => {
    service = await startTestService();
    operator = await operatorOf(service);
  });
  after(() => service.stop());

  const enter = (details: Record<string, unknown>, reference: string | null = null) =>
    insertAuditEntry(service.database, {
      actor: 'test',
      action: 'block.add',
      applicationId: null,
      reference,
      details,
    });

  /** Does what only somebody with the owner's rights can do, verifies, and undoes it. */
  async function foundAfter(
    text: string,
    values: unknown[] = [],
    part?: AuditPart,
  ): Promise<string> {
    await chainAllAuditEntries(service.database);
    const client = await service.database.connect();
    try {
      await client.query('BEGIN');
      for (const table of ['audit_entries', 'audit_chain']) {
        await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
      }
      await client.query(text, values);
      const executor = {
        vault: service.database.vault,
        query: async (statement: { text: string }, given: readonly unknown[] = []) =>
          (await client.query(statement.text, [...given])).rows as never[],
      };
      const found = await verifyAuditTrail(executor, part);
      return 'problem' in found ? `${found.position}: ${found.problem}` : 'whole';
    } finally {
      await client.query('ROLLBACK');
      await client.end();
    }
  }

  // Spec: OPERATOR-12.
  test('verify › 200 › the trail is whole, with the text of people beside it', async () => {
    await enter({ reason, blockId: 'one' });
    const [stored] = await sql<{ text: string }>(
      service.database,
      `SELECT details::text AS text FROM audit_entries ORDER BY entry_id DESC LIMIT 1`,
    );
    assert.doesNotMatch(stored!.text, /owner has called/);
    const page = { before: null, atMost: 1 };
    const { items } = await listAuditEntries(service.database, {}, page);
    const [listed] = items;
    assert.deepEqual(listed?.details, { reason, blockId: 'one' });
    const verified = await operator.done('operator.audit.verify', {});
    assert.equal(verified.position, verified.entries);
    assert.equal(verified.erased, 0);
    const { position: expectedPosition, hash: expectedHash } = verified;
    await enter({ reason });
    await operator.done('operator.audit.verify', { query: { expectedPosition, expectedHash } });
    const other = { expectedPosition, expectedHash: '0'.repeat(64) };
    const refused = await operator.refused('operator.audit.verify', { query: other });
    assert.match(refused.message, /another one than then/);
  });

  // Spec: OPERATOR-12.
  test('verify › finds an entry that was changed, removed, added or cut off, and names the link', async () => {
    await enter({ reason, blockId: 'first' });
    await enter({ reason, blockId: 'second' });
    await chainAllAuditEntries(service.database);
    const [head] = await sql<{ position: number; entry: number }>(
      service.database,
      `SELECT position, entry_id::integer AS entry FROM audit_chain ORDER BY position DESC LIMIT 1`,
    );
    const { position, entry } = head!;
    const cases: [text: string, values: unknown[], found: RegExp][] = [
      [
        `UPDATE audit_entries SET actor = 'somebody else' WHERE entry_id = $1`,
        [entry],
        new RegExp(`^${position}: it is not what was entered`),
      ],
      [
        'DELETE FROM audit_entries WHERE entry_id = $1',
        [entry],
        new RegExp(`^${position}: its entry is missing`),
      ],
      [
        'DELETE FROM audit_chain WHERE entry_id = $1',
        [entry],
        /links after it are missing|in no link/,
      ],
      [
        'DELETE FROM audit_chain WHERE position = $1',
        [position - 1],
        new RegExp(`^${position}: the links before it are missing`),
      ],
      [
        `UPDATE audit_chain SET hash = sha256(hash) WHERE entry_id = $1`,
        [entry],
        new RegExp(`^${position}: it is not what was entered`),
      ],
      [
        `UPDATE audit_texts SET text_sealed = NULL, erased_at = NULL WHERE entry_id = $1`,
        [entry],
        /violates|its text is missing/,
      ],
      ['DELETE FROM audit_texts WHERE entry_id = $1', [entry], /its text is missing/],
      [
        `INSERT INTO audit_entries (actor, action, details) VALUES ('nobody', 'block.add', '{}')`,
        [],
        /1 entries are in no link/,
      ],
      ['SELECT 1', [], /^whole$/],
    ];
    for (const [text, values, expected] of cases) {
      const found = await foundAfter(text, values).catch((error: Error) => error.message);
      assert.match(found, expected, text);
    }
  });

  test('verify › 409 › says what is broken', async () => {
    await chainAllAuditEntries(service.database);
    const client = await service.database.connect();
    const change = async (by: string) => {
      await client.query(`ALTER TABLE audit_entries DISABLE TRIGGER USER`);
      await client.query(
        `UPDATE audit_entries SET actor = ${by} WHERE entry_id = (SELECT max(entry_id) FROM audit_entries)`,
      );
      await client.query(`ALTER TABLE audit_entries ENABLE TRIGGER USER`);
    };
    const [{ entry } = { entry: 0 }] = await sql<{ entry: number }>(
      service.database,
      'SELECT max(entry_id)::integer AS entry FROM audit_entries',
    );
    try {
      await change(`actor || '!'`);
      const refused = await operator.refused('operator.audit.verify', {});
      assert.equal(refused.code, 'conflict');
      assert.match(refused.message, new RegExp(`broken at link \\d+ \\(entry ${entry}\\)`));
    } finally {
      await change(`rtrim(actor, '!')`);
      await client.end();
    }
    await operator.done('operator.audit.verify', {});
  });

  test('entries of an earlier version get their text sealed, and are read as they were', async () => {
    const insert = (action: string, details: object) =>
      sql(
        service.database,
        `INSERT INTO audit_entries (actor, action, details, reference) VALUES ('earlier', $1, $2, 'LK-EARL-IER1')`,
        [action, JSON.stringify(details)],
      );
    await insert('payment.record', { reason, method: 'cash', amount: 1 });
    await insert('staff.sign-in.fail', { reason: 'password' });
    const read = async () => {
      const page = { before: null, atMost: 10 };
      const { items } = await listAuditEntries(service.database, { actor: 'earlier' }, page);
      return items.map(({ details }) => details);
    };
    const shown = await read();
    await chainAllAuditEntries(service.database);
    assert.deepEqual(await read(), shown);
    const texts = await sql<{ text: string }>(
      service.database,
      `SELECT details::text AS text FROM audit_entries WHERE actor = 'earlier' ORDER BY entry_id`,
    );
    assert.doesNotMatch(texts[0]!.text, /owner|cash/);
    assert.match(texts[1]!.text, /"reason": "password"/);
    await operator.done('operator.audit.verify', {});
  });

  test('export › 200 › anybody can verify it: each hash is that of the hash before and the line', async () => {
    await enter({ reason, blockId: 'exported' });
    const first = await operator.done('operator.audit.export', {
      query: { links: 2 },
    });
    let { items, last, hasMore, before: chained } = first;
    assert.equal(chained, '0'.repeat(64));
    let texts = 0;
    for (;;) {
      for (const { hash, line, text } of items) {
        chained = createHash('sha256')
          .update(Buffer.from(chained, 'hex'))
          .update(line)
          .digest('hex');
        assert.equal(hash, chained);
        const { details } = JSON.parse(line) as { details: { textDigest?: string } };
        if (text === null) continue;
        texts += 1;
        assert.equal(createHash('sha256').update(text).digest('hex'), details.textDigest);
      }
      if (!hasMore) break;
      const next = await operator.done('operator.audit.export', { query: { after: last } });
      assert.equal(next.before, chained);
      ({ items, last, hasMore } = next);
    }
    assert.ok(texts >= 1);
    const { hash } = await operator.done('operator.audit.verify', {});
    assert.equal(hash, chained);
  });

  /** The links in requests, each of which was hashed with the one before. Returns the last hash. */
  function linksIn(arrivals: readonly Arrival[], begin: string) {
    const positions: number[] = [];
    let chained = begin;
    for (const arrival of arrivals) {
      assert.doesNotMatch(arrival.body, /owner has called/);
      const body = verifiedRecord(arrival) as unknown as {
        format: string;
        environment: string;
        before: string;
        items: { position: number; hash: string; line: string }[];
      };
      assert.deepEqual([body.format, body.environment], ['latchkey-audit/1', 'simulation']);
      assertGuideShows(body);
      assert.equal(body.before, chained);
      for (const { position, hash, line } of body.items) {
        const bytes = Buffer.from(chained, 'hex');
        chained = createHash('sha256').update(bytes).update(line).digest('hex');
        assert.equal(hash, chained);
        positions.push(position);
      }
      const id = `audit_${body.items[0]!.position}_${positions.at(-1)}_${chained.slice(0, 16)}`;
      assert.equal(arrival.headers['webhook-id'], id);
    }
    return { positions, last: chained };
  }

  // Spec: OPERATOR-22.
  test('posting › sends every link once it was accepted, and goes on where it stopped', async () => {
    const receiver = await Receiver.start(respond(503));
    const { database } = service;
    const warnings: string[] = [];
    const startPosting = () =>
      startAuditPosting({
        executor: database,
        environment: 'simulation',
        receiver: { url: new URL(receiver.url('/audit?key=hidden')), secrets: [recordsSecret] },
        log: { warn: (_details, message) => void warnings.push(message) },
      });
    const row = async () => {
      const found = await sql<{ position: number; problem: string | null }>(
        database,
        'SELECT position::integer AS position, problem FROM audit_receivers',
      );
      return found[0];
    };
    const accepted = (position: number) => () => row().then((one) => one?.position === position);
    try {
      await enter({ reason, blockId: 'posted' });
      await chainAllAuditEntries(database);
      const refused = startPosting();
      await eventually(async () => (await row())?.problem === 'status 503', 20_000);
      await refused.stop();
      assert.deepEqual(
        [await row(), [...new Set(warnings)]],
        [{ position: 0, problem: 'status 503' }, ['audit trail not accepted']],
      );
      const { links } = await readAuditBatch(database, 0, { links: 10_000, bytes: Infinity });
      const first = await readAuditBatch(database, 0, { links: 500, bytes: 1 });
      assert.deepEqual([first.links.length, first.hasMore], [1, true], 'one is always sent');

      receiver.arrivals.length = 0;
      receiver.reply = respond(204);
      await sql(database, 'UPDATE audit_receivers SET due_at = now()', []);
      const two = [startPosting(), startPosting()];
      await eventually(accepted(links.length), 20_000);
      await Promise.all(two.map((one) => one.stop()));
      const sent = linksIn(receiver.arrivals, '0'.repeat(64));
      assert.deepEqual(
        sent.positions,
        links.map(({ position }) => position),
      );
      assert.equal((await row())?.problem, null);

      receiver.arrivals.length = 0;
      await enter({ reason, blockId: 'later' });
      await chainAllAuditEntries(database);
      const again = startPosting();
      await eventually(accepted(links.length + 1), 20_000);
      await again.stop();
      assert.deepEqual(linksIn(receiver.arrivals, sent.last).positions, [links.length + 1]);
    } finally {
      await receiver.close();
    }
  });

  // Spec: OPERATOR-12.
  test('verify › 200 › in parts: each goes on after the last, and together they find what the whole finds', async () => {
    for (const blockId of ['a', 'b', 'c', 'd', 'e']) await enter({ reason, blockId });
    const whole = await operator.done('operator.audit.verify', {});
    assert.equal(whole.hasMore, false);
    const links = Math.ceil(whole.position / 3);
    const verify = (query: object) => operator.done('operator.audit.verify', { query });
    let part = await verify({ links });
    const ends = [part.position];
    let erased = part.erased;
    while (part.hasMore && ends.length < 10) {
      const { position, hash } = part;
      const query = { after: position, expectedPosition: position, expectedHash: hash };
      part = await verify({ ...query, links });
      ends.push(part.position);
      erased += part.erased;
    }
    assert.deepEqual(ends, [links, 2 * links, whole.position]);
    assert.deepEqual({ ...part, erased }, whole);
    // Nothing is left after the last link.
    assert.deepEqual(await verify({ after: whole.position }), { ...whole, erased: 0 });
    const query = { after: whole.position + 1 };
    const refused = await operator.refused('operator.audit.verify', { query });
    assert.match(refused.message, /broken at link \d+: it is missing/);
  });

  // Spec: OPERATOR-12.
  test('verify › goes through a long trail slice by slice, and counts nothing whole', async () => {
    const { database } = service;
    await sql(
      database,
      `INSERT INTO audit_entries (actor, action, details)
        SELECT 'test', 'block.add', '{}' FROM generate_series(1, 2500)`,
      [],
    );
    await chainAllAuditEntries(database);
    const asked: [name: string, values: readonly unknown[]][] = [];
    const counting: Executor = {
      vault: database.vault,
      query(statement, values = []) {
        asked.push([statement.name, values]);
        assert.doesNotMatch(statement.text, /count\(\*\) FROM audit_(?:entries|chain)\b/);
        return database.query(statement, values);
      },
    };
    const valuesOf = (wanted: string) =>
      asked.filter(([name]) => name === wanted).map(([, values]) => values);
    const verified = await verifyAuditTrail(counting);
    assert.ok(!('problem' in verified));
    const { position, entries } = verified;
    assert.equal(entries, position);
    const slices = Array.from({ length: Math.ceil(position / 1_000) }, (_, n) => n * 1_000);
    assert.deepEqual(
      valuesOf('read-audit-chain'),
      slices.map((begin) => [begin, Math.min(1_000, position - begin)]),
    );
    const looks = valuesOf('find-unlinked-audit-entries');
    assert.ok(looks.every(([, , atMost]) => atMost === 1_000));

    // Each entry is between two bounds, and the last look has no end.
    const bounds = [...new Set(looks.map(([, until]) => until as number))];
    assert.deepEqual(
      bounds,
      bounds.toSorted((a, b) => a - b),
    );
    assert.equal(bounds.at(-1), Number.MAX_SAFE_INTEGER);

    asked.length = 0;
    const atMost = { links: 1_500, bytes: Infinity };
    const part = await verifyAuditTrail(counting, { after: 0, atMost });
    assert.ok(!('problem' in part));
    assert.deepEqual([part.position, part.hasMore, part.entries], [1_500, true, entries]);
    assert.deepEqual(valuesOf('read-audit-chain'), [
      [0, 1_000],
      [1_000, 500],
    ]);
    const small = await verifyAuditTrail(database, {
      after: 0,
      atMost: { links: 9_999, bytes: 1 },
    });
    assert.ok(!('problem' in small));
    assert.deepEqual([small.position, small.hasMore], [1_000, true], 'a slice is always verified');
  });

  // Spec: OPERATOR-12.
  test('verify › an entry that was added between others is found in its part', async () => {
    const [{ free } = { free: 0 }] = await sql<{ free: number }>(
      service.database,
      `SELECT nextval(pg_get_serial_sequence('audit_entries', 'entry_id'))::integer AS free`,
    );
    await enter({ blockId: 'after the gap' });
    const text = `INSERT INTO audit_entries (entry_id, actor, action, details) OVERRIDING SYSTEM VALUE
      VALUES ($1, 'nobody', 'block.add', '{}')`;
    assert.match(await foundAfter(text, [free]), /^\d+: 1 entries are in no link/);
    const found = await foundAfter(text, [free], { after: 0, atMost: { links: 1, bytes: 1 } });
    assert.equal(found, 'whole');
  });

  // Spec: GUEST-2.
  test('what is older than seven years goes, and the rest is still verified', async () => {
    const old = await startTestService({ LATCHKEY_ROLES: 'api' });
    try {
      const { database } = old;
      const enterAt = (days: number) =>
        sql(
          database,
          `INSERT INTO audit_entries (actor, action, details, happened_at)
            VALUES ('old', 'block.add', '{}', now() - make_interval(days => $1))`,
          [days],
        );
      for (const days of [2_560, 2_559, 2_556, 2_558, 1]) await enterAt(days);
      assert.equal(await chainAuditEntries(database, 10), 5);
      assert.equal(await removeOldAuditEntries(database, 1), 1);
      assert.equal(
        await removeOldAuditEntries(database, 10),
        1,
        'a younger one is before the next',
      );
      assert.equal(await removeOldAuditEntries(database, 10), 0);
      const verified = await verifyAuditTrail(database);
      assert.ok(!('problem' in verified));
      assert.equal(verified.anchorPosition, 2);
      const [left] = await sql<{ count: number }>(
        database,
        `SELECT count(*)::integer AS count FROM audit_entries WHERE actor = 'old'`,
      );
      assert.equal(left?.count, 3);
    } finally {
      await old.stop();
    }
  });
});
