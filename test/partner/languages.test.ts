/** The bookings of the guides to other languages, as they stand there, while the sandbox plays faults to them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { createClient } from '../../packages/partner/src/index.ts';
import { findInstalled, skippedWithout } from '../harness/installed.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const languages = [
  { language: 'python', command: 'python3', file: 'book.py' },
  { language: 'php', command: 'php', file: 'book.php' },
  { language: 'ruby', command: 'ruby', file: 'book.rb' },
] as const;

const requestReservation = 'reservation.reservationRequest.create';

/** Each must be survived, and the reservation made once. */
const faults = [
  { match: { operation: 'token', nth: 1 }, do: { respond: 503 } },
  { match: { operation: 'distribution.listing.search', nth: 1 }, do: { html: 502 } },
  {
    match: { operation: 'reservation.quote.create', nth: 1 },
    do: { respond: 429, retryAfterSeconds: 1 },
  },
  { match: { operation: 'reservation.quote.create', nth: 2 }, do: { unresolved: 'applied' } },
  { match: { operation: requestReservation, nth: 1 }, do: { drop: 'before' } },
  { match: { operation: requestReservation, nth: 2 }, do: { drop: 'after' } },
] as const;

async function codeOf(language: string): Promise<string> {
  const guide = path.join(import.meta.dirname, `../../docs/partners/${language}.md`);
  const text = await readFile(guide, 'utf8');
  const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(text) ?? [];
  assert.ok(code, `the guide has no ${language}`);
  return code;
}

// They wait most of the time, as programs that repeat calls do.
suite('guides to other languages', { concurrency: true }, () => {
  let service: TestService;
  let folder: string;

  before(async () => {
    service = await startTestService();
    folder = await mkdtemp(path.join(tmpdir(), 'latchkey-languages-'));
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  for (const { language, command, file } of languages) {
    const skip = skippedWithout(command, findInstalled(command));
    test(
      `${language} › books once, through faults, and says why nothing was booked`,
      { skip },
      async () => {
        const { credentials } = await service.partner({ settlement: 'partner' });
        const { applicationId, applicationKey } = credentials;
        const client = createClient({ baseUrl: service.origin, applicationId, applicationKey });
        await writeFile(path.join(folder, file), await codeOf(language));
        const book = async (email: string): Promise<string> => {
          const env = {
            ...process.env,
            LATCHKEY_BASE_URL: service.origin,
            LATCHKEY_APPLICATION_ID: applicationId,
            LATCHKEY_APPLICATION_KEY: applicationKey,
            GUEST_EMAIL: email,
          };
          const { stdout } = await promisify(execFile)(command, [path.join(folder, file)], { env });
          return stdout.trim().split('\n').at(-1)!;
        };
        // The token of this client is exchanged before the first fault counts.
        await client.sandbox('GET', '/faults');
        await client.sandbox('PUT', '/faults', { rules: faults });
        const [state, reference] = (await book('ada@example.com')).split(' ');
        assert.equal(state, 'confirmed');
        const { rules } = await client.sandbox<{ rules: { hits: object[] }[] }>('GET', '/faults');
        assert.deepEqual(
          rules.map(({ hits }) => hits.length),
          faults.map(() => 1),
        );
        await client.sandbox('DELETE', '/faults');
        const kept = await client.call('reservation.reservation.list', { query: {} });
        assert.deepEqual(
          kept.items.map((reservation) => reservation.reference),
          [reference],
        );
        assert.equal(await book('ada+sold_out@example.com'), 'failed sold_out');
      },
    );
  }
});
