/** The receivers of the guide, as they stand there, take in what is genuine and nothing else. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { newWebhookSecret } from '../../src/platform/sending/signature.ts';
import { signWebhook } from '../../src/platform/sending/signature.ts';
import { hostNode } from '../harness/host-node.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/free-port.ts';

const guide = path.join(import.meta.dirname, '../../docs/partners/webhooks.md');
const hasPython = spawnSync('python3', ['--version']).status === 0;

const receivers = [
  { language: 'javascript', file: 'receiver.mjs', command: hostNode, skip: false },
  { language: 'python', file: 'receiver.py', command: 'python3', skip: !hasPython },
] as const;

async function codeOf(language: string): Promise<string> {
  const text = await readFile(guide, 'utf8');
  const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(text) ?? [];
  assert.ok(code, `the guide has no ${language}`);
  return code;
}

for (const { language, file, command, skip } of receivers) {
  describe(`the receiver in ${language}`, { skip }, () => {
    const secret = newWebhookSecret();
    const body = '{"id":"evt_1","type":"checkout.resolved","data":{"note":"Zürich"}}';
    let folder: string;
    let port: number;
    let printed = '';
    let end: () => void;

    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'latchkey-receiver-'));
      await writeFile(path.join(folder, file), await codeOf(language));
      port = await freePort();
      const child = spawn(command, [path.join(folder, file)], {
        env: { ...process.env, PORT: String(port), LATCHKEY_WEBHOOK_SECRET: secret },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
      end = () => void child.kill('SIGKILL');
      await eventually(async () => (await post({ body: 'hello' }).catch(() => 0)) === 400, 20_000);
    });
    after(async () => {
      end();
      await rm(folder, { recursive: true, force: true });
    });

    interface Sent {
      secrets?: string[];
      secondsAgo?: number;
      signed?: string;
      body?: string;
      id?: string;
    }

    async function post({
      secrets = [secret],
      secondsAgo = 0,
      signed = body,
      body: sent = body,
      id = 'evt_1',
    }: Sent): Promise<number> {
      const at = Math.floor(Date.now() / 1000) - secondsAgo;
      const response = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(at),
          'webhook-signature': signWebhook(secrets, id, at, signed),
        },
        body: sent,
      });
      await response.arrayBuffer();
      return response.status;
    }

    it('accepts a genuine delivery once', async () => {
      printed = '';
      assert.equal(await post({}), 204);
      assert.equal(await post({}), 204);
      await eventually(async () => printed !== '', 5_000);
      assert.equal(printed.trim(), 'checkout.resolved');
    });

    it('accepts a delivery signed with two secrets, one of them its own', async () => {
      assert.equal(await post({ secrets: [newWebhookSecret(), secret], id: 'evt_2' }), 204);
    });

    for (const [name, sent] of [
      ['another secret', { secrets: [newWebhookSecret()] }],
      ['another body', { signed: '{}' }],
      ['a timestamp of six minutes ago', { secondsAgo: 360 }],
      ['a timestamp of six minutes ahead', { secondsAgo: -360 }],
    ] satisfies [string, Sent][]) {
      it(`refuses ${name}`, async () => assert.equal(await post({ id: 'evt_3', ...sent }), 400));
    }
  });
}
