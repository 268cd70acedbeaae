/** The commands about reservations, uncertain checkouts and the audit trail, beside a running service. */
import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { addEndpoint } from '../harness/webhooks.ts';
import { eventually } from '../harness/eventually.ts';
import { daysAhead, Partner } from '../harness/partner.ts';
import { materializeReservations } from '../../src/bookings/store/records.ts';
import { Receiver } from '../harness/receiver.ts';
import type { Storage } from '../../src/installation/storage.ts';
import { usedInstallation, type Installation, type RunningService } from './installation.ts';

interface List<T> {
  items: T[];
  nextCursor: string | null;
}

const reason = ['--reason', 'The guest has called'];

describe('reservations on the command line', () => {
  let installation: Installation;
  let service: RunningService;
  let storage: Storage;
  let partner: Partner;
  let receiver: Receiver;

  before(async () => {
    installation = await usedInstallation();
    service = await installation.serve();
    storage = await installation.storage();
    const { applications } = await installation.credentials();
    const found = applications.find(({ settlement }) => settlement === 'partner');
    assert.ok(found);
    const { applicationId, applicationKey } = found;
    const credentials = {
      applicationId,
      applicationKey,
      keyId: '',
      settlement: 'partner',
    } as const;
    partner = new Partner(service.baseUrl, credentials);
    receiver = await Receiver.start();
    await addEndpoint(storage.database, applicationId, `http://127.0.0.1:${receiver.port}/`);
  });
  after(async () => {
    await receiver.close();
    await storage.close();
    await service.stop();
    await installation.remove();
  });

  async function reserved(): Promise<string> {
    const open = await partner.submittedCheckout();
    const { reference = '' } = await partner.statusOnce(open, ['confirmed']);
    // Before that, partners read it as it was confirmed.
    await materializeReservations(storage.database, 1_000);
    return reference;
  }

  const received = () => receiver.arrivals.map(({ body }) => JSON.parse(body) as { type: string });

  it('lists, shows, changes and cancels; the webhook of the partner hears of it', async () => {
    const reference = await reserved();
    const { items } = await installation.done<List<{ reference: string; listing: string }>>([
      'reservation',
      'list',
      '--state',
      'confirmed',
    ]);
    const listed = items.find((one) => one.reference === reference);
    assert.ok(listed);
    const named = ['--reference', reference];
    const lowerCase = ['--reference', reference.toLowerCase()];
    const shown = await installation.done<{ guest: object; version: number }>([
      'reservation',
      'show',
      ...lowerCase,
    ]);
    assert.equal(shown.version, 1);

    const preview = await installation.done<{ dryRun: boolean; events: { type: string }[] }>([
      'reservation',
      'change',
      ...named,
      '--pets',
      '1',
      ...reason,
      '--dry-run',
    ]);
    assert.equal(preview.dryRun, true);
    const changed = await installation.done<{ version: number; changes: string[] }>([
      'reservation',
      'change',
      ...named,
      '--pets',
      '1',
      '--expected-version',
      '1',
      ...reason,
    ]);
    assert.deepEqual([changed.version, changed.changes], [2, ['party']]);
    const text = 'Arrives late.\nThe key is with the neighbour.';
    const note = await installation.done<{ text: string; author: string }>([
      'reservation',
      'note',
      'add',
      ...named,
      '--text',
      text,
    ]);
    assert.deepEqual([note.text, note.author], [text, `cli:${userInfo().username}`]);
    const cancelled = await installation.done<{ state: string }>([
      'reservation',
      'cancel',
      ...named,
      '--refund',
      'none',
      ...reason,
    ]);
    assert.equal(cancelled.state, 'cancelled');
    const now = await partner.succeed('reservation.reservation.get', { params: { reference } });
    assert.deepEqual([now.state, now.party.pets], ['cancelled', 1]);
    await eventually(async () => {
      const types = new Set(received().map(({ type }) => type));
      return types.has('reservation.changed') && types.has('reservation.cancelled');
    });

    const trail = await installation.done<List<{ actor: string; action: string }>>([
      'audit',
      'list',
      ...named,
      '--from',
      daysAhead(-1),
      '--until',
      daysAhead(0),
    ]);
    assert.deepEqual(
      trail.items.map(({ actor, action }) => [actor, action]),
      [
        [`cli:${userInfo().username}`, 'reservation.cancel'],
        [`cli:${userInfo().username}`, 'reservation.note.add'],
        [`cli:${userInfo().username}`, 'reservation.change'],
      ],
    );
    const again = await installation.latchkey(['reservation', 'cancel', ...named, ...reason]);
    assert.deepEqual([again.exitCode, again.stdout], [1, '']);
    assert.match(again.stderr, /cancelled already, which is final/);
  });

  it('resolves an uncertain checkout by hand', async () => {
    const open = await partner.submittedCheckout('uncertain');
    await partner.statusOnce(open, ['uncertain']);
    const { checkoutId } = open.created;
    const { items } = await installation.done<List<{ checkoutId: string }>>([
      'checkout',
      'list',
      '--state',
      'uncertain',
    ]);
    assert.ok(items.some((one) => one.checkoutId === checkoutId));
    const named = ['--checkout', checkoutId];
    const shown = await installation.done<{ evidence: { supply: string } }>([
      'checkout',
      'show',
      ...named,
    ]);
    assert.equal(shown.evidence.supply, 'unknown');
    const words = ['checkout', 'resolve', ...named, '--as', 'confirmed', ...reason];
    const resolved = await installation.done<{ reference: string }>(words);
    const status = await partner.succeed('reservation.checkout.getStatus', open.at);
    assert.deepEqual([status.state, status.reference], ['confirmed', resolved.reference]);
  });

  it('prints a reservation as text that a person can read', async () => {
    const reference = await reserved();
    const shown = await installation.latchkey(['reservation', 'show', '--reference', reference]);
    assert.deepEqual([shown.exitCode, shown.stderr], [0, '']);
    assert.match(shown.stdout, new RegExp(`^reference +${reference}$`, 'm'));
    assert.match(shown.stdout, /^history:$/m);
    assert.match(shown.stdout, /^ {2}\S+Z +quote\.created /m);
    assert.doesNotMatch(shown.stdout, /\[object Object\]|undefined/);
    const preview = await installation.latchkey([
      'reservation',
      'cancel',
      '--reference',
      reference,
      ...reason,
      '--dry-run',
    ]);
    assert.match(preview.stdout, /This is a preview: nothing has changed\./);
    const { stdout } = await installation.latchkey(['reservation', 'list', '--limit', '1']);
    assert.match(stdout, /There are more: --cursor \S+/);
  });

  it('payments › none where the partner collects; every refusal has its exit code', async () => {
    const named = ['--reference', await reserved()];
    const listed = await installation.done<List<object>>(['payment', 'list', '--needs-attention']);
    assert.deepEqual(listed.items, []);
    const refused: [words: string[], exitCode: number, why: RegExp][] = [
      [['payment', 'show', ...named], 1, /no payments of LK-.*its partner collects the money/],
      [['payment', 'retry', ...named, ...reason], 1, /no payments of LK-/],
      [['payment', 'refund', ...named, ...reason, '--amount', '5'], 1, /no payments of LK-/],
      [
        ['payment', 'refund', ...named, ...reason, '--amount', '0'],
        2,
        /--amount must be an integer/,
      ],
      [['payment', 'reconcile', '--since', '2027-01-01'], 1, /no card provider/],
      [['payment', 'reconcile'], 2, /--since/],
    ];
    for (const [words, exitCode, why] of refused) {
      const run = await installation.latchkey([...words, '--json']);
      assert.deepEqual([run.exitCode, run.stdout], [exitCode, ''], words.join(' '));
      assert.match(run.stderr, why);
    }
  });

  it('statement and export › JSON and CSV with the same figures', async () => {
    const reference = await reserved();
    const month = new Date().toISOString().slice(0, 7);
    const words = [
      'statement',
      '--application',
      partner.credentials.applicationId,
      '--month',
      month,
    ];
    const { currencies } = await installation.done<{
      currencies: { currency: string; owed: number; lines: { reference: string }[] }[];
    }>(words);
    assert.ok(currencies.some(({ lines }) => lines.some((line) => line.reference === reference)));
    const rowsOf = async (command: readonly string[]) => {
      const { exitCode, stdout, stderr } = await installation.latchkey([...command, '--csv']);
      assert.deepEqual([exitCode, stderr], [0, '']);
      return parse(stdout, { columns: true }) as Record<string, string>[];
    };
    const rows = await rowsOf(words);
    assert.deepEqual(Object.keys(rows[0]!), ['currency', 'reference', 'kind', 'on', 'amount']);
    for (const { currency, owed } of currencies) {
      const own = rows.filter((row) => row['currency'] === currency);
      assert.equal(
        own.reduce((sum, { amount }) => sum + Number(amount), 0),
        owed,
      );
    }
    const { stdout: text } = await installation.latchkey(words);
    assert.match(text, /^ +owed /m);
    assert.match(text, new RegExp(`^ +${reference} +sold `, 'm'));

    const period = ['--from', '2026-01-01', '--to', '2029-01-01'];
    const { items } = await installation.done<List<{ reference: string; total: number }>>([
      'reservation',
      'export',
      ...period,
    ]);
    const stays = await rowsOf(['reservation', 'export', ...period]);
    assert.deepEqual(
      stays.map((row) => [row['reference'], Number(row['total'])]),
      items.map((item) => [item.reference, item.total]),
    );
    assert.deepEqual(await rowsOf(['payment', 'export', ...period]), []);
    for (const wrong of [
      [...words, '--csv', '--json'],
      ['statement', '--month', month],
      ['statement', 'show'],
      [...words.slice(0, -1), '2026-13'],
      ['reservation', 'export', '--from', '2026-02-01', '--to', '2026-02-01'],
      ['reservation', 'list', '--csv'],
    ]) {
      const { exitCode, stdout } = await installation.latchkey(wrong);
      assert.deepEqual([exitCode, stdout], [2, ''], wrong.join(' '));
    }
  });
});
