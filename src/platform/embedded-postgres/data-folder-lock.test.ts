import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { lockDataFolder } from './data-folder-lock.ts';

describe('a data folder that is held', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-lock-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('is waited for, and who holds it is named', async () => {
    const first = await lockDataFolder(folder, () => undefined);
    const waiting: { message: string; by: string }[] = [];
    const second = await lockDataFolder(folder, (message, details) => {
      waiting.push({ message, by: (details as { by: string }).by });
      // The holder leaves.
      first.release();
    });
    assert.equal(waiting.length, 1);
    assert.equal(waiting[0]!.message, 'the data folder is in use; waiting');
    assert.match(waiting[0]!.by, new RegExp(`^the process ${process.pid} \\(.*node`));
    second.release();
  });

  it('is refused when it stays held, with who holds it', async () => {
    const first = await lockDataFolder(folder, () => undefined);
    await assert.rejects(
      lockDataFolder(folder, () => undefined, 0),
      new RegExp(`is in use by the process ${process.pid} \\(.*Stop that one first`),
    );
    first.release();
  });
});
