/** Prism, a validating proxy by others, between a partner and the service. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually } from '../harness/eventually.ts';
import { Partner, type CallInput, type CallReply } from '../harness/partner.ts';
import { freePort } from '../harness/free-port.ts';
import type { OperationId } from '../../src/contract/partner/operations.ts';

const root = path.join(import.meta.dirname, '../..');
const program = path.join(root, 'node_modules/@stoplight/prism-cli/dist/index.js');

/** A proxy that turns every departure from the document into an error. */
export interface ValidatingProxy {
  origin: string;
  stop(): Promise<void>;
}

/** Starts it in front of a service, with the committed document. */
export async function startValidatingProxy(upstream: string): Promise<ValidatingProxy> {
  const port = await freePort();
  const words = ['proxy', 'openapi.json', upstream, '--errors', '--multiprocess=false'];
  const child = spawn(process.execPath, [program, ...words, '-h', '127.0.0.1', '-p', `${port}`], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const isListening = async (): Promise<boolean> => {
    assert.equal(child.exitCode, null, `it did not start: ${said}`);
    return said.includes('Prism is listening');
  };
  try {
    await eventually(isListening, 60_000, 50);
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin: `http://127.0.0.1:${port}`, stop };
}

/** A partner that calls through the proxy, which must accept every response. */
export class ProxiedPartner extends Partner {
  readonly called = new Set<OperationId>();

  override async call<Id extends OperationId>(
    id: Id,
    input: CallInput<Id> = {},
  ): Promise<CallReply> {
    const reply = await super.call(id, input);
    assert.equal(reply.headers.get('sl-violations'), null, `${id}: ${reply.text}`);
    this.called.add(id);
    return reply;
  }
}
