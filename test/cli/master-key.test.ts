/** A new master key by the command line, beside a running service. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { askForToken, type Installation, usedInstallation } from './installation.ts';

suite('latchkey master-key', () => {
  let installation: Installation;
  let file: string;
  before(async () => {
    installation = await usedInstallation();
    file = path.join(installation.dataDir, '..', 'keys');
  });
  after(() => installation.remove());

  // Spec: ACCESS-14.
  test('rotate and retire › 0 › a new first line, restart, rotate, retire, and the old line goes', async () => {
    const env = { LATCHKEY_MASTER_KEY_FILE: file };
    const command = async <T>(...words: string[]) => {
      const { exitCode, stdout, stderr } = await installation.latchkey(
        ['master-key', ...words, '--json'],
        env,
      );
      return { exitCode, stderr, document: stdout === '' ? null : (JSON.parse(stdout) as T) };
    };
    const former = (await readFile(path.join(installation.dataDir, 'master.key'), 'utf8')).trim();
    await rm(path.join(installation.dataDir, 'master.key'));
    const next = randomBytes(32).toString('base64');
    await writeFile(file, `${former}\n`);
    let service = await installation.serve(env);

    // A command that is ahead of the service would seal what the service cannot read.
    await writeFile(file, `${next}\n${former}\n`);
    const ahead = await command('show');
    assert.equal(ahead.exitCode, 1);
    assert.match(ahead.stderr, /start it again with the new setting/);

    await service.stop();
    service = await installation.serve(env);
    const shown = await command<{ sealedWithEarlierKeys: number; items: object[] }>('show');
    assert.ok(shown.document!.sealedWithEarlierKeys > 0);
    assert.equal(shown.document!.items.length, 2);
    const preview = await command<{ sealed: number }>('rotate', '--dry-run');
    assert.equal(preview.document!.sealed, shown.document!.sealedWithEarlierKeys);
    const early = await command('retire');
    assert.equal(early.exitCode, 1);
    const rotated = await command<{ sealed: number }>('rotate');
    assert.equal(rotated.document!.sealed, preview.document!.sealed);
    const ends = await command<{ ends: { sessions: number } }>('retire', '--dry-run');
    assert.equal(ends.exitCode, 0);
    const retired = await command<{ retired: object[] }>('retire');
    assert.equal(retired.document!.retired.length, 1);
    await service.stop();

    await writeFile(file, `${next}\n`);
    service = await installation.serve(env);
    const { applications } = await installation.credentials();
    const answer = await askForToken(service.baseUrl, applications[0]!);
    assert.equal(answer.status, 200);
    await service.stop();
  });
});
