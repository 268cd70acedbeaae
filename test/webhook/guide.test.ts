/** The receivers of the guide, as they stand there, take in what is genuine and nothing else. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { newWebhookSecret } from '../../src/platform/sending/signature.ts';
import { signWebhook } from '../../src/platform/sending/signature.ts';
import { hostNode } from '../harness/host-node.ts';
import { eventually } from '../harness/eventually.ts';
import { freePort } from '../harness/free-port.ts';
import { findInstalled, skippedWithout } from '../harness/installed.ts';

const guides = path.join(import.meta.dirname, '../../docs/partners');

// What a server of Rack does with the application of the guide: one request after the other is enough here.
const rackServer = `
require 'socket'
require 'stringio'
$stdout.sync = true
def run(app) = ($app = app)
load ARGV[0]
server = TCPServer.new('127.0.0.1', ENV['PORT'].to_i)
loop do
  socket = server.accept
  env = {}
  socket.gets
  while (line = socket.gets.chomp) != ''
    name, value = line.split(': ', 2)
    env["HTTP_#{name.upcase.tr('-', '_')}"] = value
  end
  env['rack.input'] = StringIO.new(socket.read(env['HTTP_CONTENT_LENGTH'].to_i))
  status, = $app.call(env)
  socket.write("HTTP/1.1 #{status} Status\\r\\nconnection: close\\r\\ncontent-length: 0\\r\\n\\r\\n")
  socket.close
end
`;

interface Receiver {
  language: string;
  guide: string;
  file: string;
  command: string;
  words(file: string, port: number): string[];
}

const receivers: readonly Receiver[] = [
  {
    language: 'javascript',
    guide: 'webhooks.md',
    file: 'receiver.mjs',
    command: hostNode,
    words: (file) => [file],
  },
  {
    language: 'python',
    guide: 'python.md',
    file: 'receiver.py',
    command: 'python3',
    words: (file) => [file],
  },
  {
    language: 'php',
    guide: 'php.md',
    file: 'receiver.php',
    command: 'php',
    words: (file, port) => ['-S', `127.0.0.1:${port}`, file],
  },
  {
    language: 'ruby',
    guide: 'ruby.md',
    file: 'config.ru',
    command: 'ruby',
    words: (file) => ['-e', rackServer, file],
  },
];

async function codeOf({ language, guide }: Receiver): Promise<string> {
  const text = await readFile(path.join(guides, guide), 'utf8');
  const section = text.slice(Math.max(0, text.indexOf('\n## Webhooks')));
  const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(section) ?? [];
  assert.ok(code, `the guide has no ${language}`);
  return code;
}

for (const receiver of receivers) {
  const { language, file, command, words } = receiver;
  const skip = command === hostNode ? false : skippedWithout(command, findInstalled(command));
  describe(`the receiver in ${language}`, { skip }, () => {
    const secret = newWebhookSecret();
    const body = '{"id":"evt_1","type":"checkout.resolved","data":{"note":"Zürich"}}';
    let folder: string;
    let port: number;
    let printed = '';
    let end: () => void;

    before(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'latchkey-receiver-'));
      await writeFile(path.join(folder, file), await codeOf(receiver));
      port = await freePort();
      const secrets = `${secret} ${newWebhookSecret()}`;
      const child = spawn(command, words(path.join(folder, file), port), {
        env: {
          ...process.env,
          TMPDIR: folder,
          PORT: String(port),
          LATCHKEY_WEBHOOK_SECRET: language === 'javascript' ? secret : secrets,
        },
        // The server of PHP writes a line for each request.
        stdio: ['ignore', 'pipe', language === 'php' ? 'ignore' : 'inherit'],
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
