/**
 * The HTTP floors, in a separate process. The parent selects one: prebuilt bytes; prebuilt bytes after one
 * named SELECT by key, or after one named statement that reads or writes one row; an empty Fastify.
 */
import Fastify from 'fastify';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/** The floor that the parent selects. */
export type FloorTask =
  | { kind: 'bytes'; bytes: string }
  | { kind: 'select'; connection: pg.ClientConfig; text: string; values: unknown[] }
  | { kind: 'calls'; connection: pg.ClientConfig; rows: number }
  | { kind: 'empty' };

const head = { 'content-type': 'application/json; charset=utf-8' };

const readOne = 'SELECT id, balance FROM bench_balances WHERE id = $1';
const writeOne = `WITH entry AS (INSERT INTO bench_entries (balance_id, amount) VALUES ($1, 1))
  UPDATE bench_balances SET balance = balance + 1 WHERE id = $1`;

function callListener({
  connection,
  rows,
}: Extract<FloorTask, { kind: 'calls' }>): RequestListener {
  const pool = new pg.Pool({ ...connection, max: 10 });
  const bytes = Buffer.from(JSON.stringify({ state: 'ready', padding: 'x'.repeat(600) }));
  return async (request, response) => {
    request.resume();
    const isWrite = request.method === 'POST';
    const [name, text] = isWrite ? ['floor-write', writeOne] : ['floor-read', readOne];
    await pool.query({ name, text, values: [1 + Math.floor(Math.random() * rows)] });
    response.writeHead(200, { ...head, 'content-length': bytes.length }).end(bytes);
  };
}

function listenerFor(task: FloorTask): RequestListener {
  if (task.kind === 'bytes') {
    const bytes = Buffer.from(task.bytes);
    return (_request, response) => {
      response.writeHead(200, { ...head, 'content-length': bytes.length }).end(bytes);
    };
  }
  if (task.kind === 'calls') return callListener(task);
  if (task.kind === 'empty') throw new Error('an empty Fastify has no listener');
  const pool = new pg.Pool({ ...task.connection, max: 10 });
  const query = { name: 'floor', text: task.text, values: task.values };
  return async (_request, response) => {
    const { rows } = await pool.query(query);
    const text = JSON.stringify(rows[0]);
    response.writeHead(200, { ...head, 'content-length': Buffer.byteLength(text) }).end(text);
  };
}

async function serve(task: FloorTask): Promise<number> {
  if (task.kind === 'empty') {
    const app = Fastify();
    await app.listen({ port: 0, host: '127.0.0.1' });
    return (app.server.address() as AddressInfo).port;
  }
  const server = createServer(listenerFor(task));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

process.once('message', (task: FloorTask) => {
  void serve(task).then((port) => process.send?.({ port }));
});
