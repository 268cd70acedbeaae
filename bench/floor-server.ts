/**
 * The HTTP floors, each in its own process; the parent sends the task. They respond with prebuilt bytes,
 * with the row of one named SELECT by key, or are an empty Fastify.
 */
import Fastify from 'fastify';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

/** The task from the parent. */
export type FloorTask =
  | { kind: 'bytes'; bytes: string }
  | { kind: 'select'; connection: pg.ClientConfig; text: string; values: unknown[] }
  | { kind: 'empty' };

const head = { 'content-type': 'application/json; charset=utf-8' };

function listenerFor(task: FloorTask): RequestListener {
  if (task.kind === 'bytes') {
    const bytes = Buffer.from(task.bytes);
    return (_request, response) => {
      response.writeHead(200, { ...head, 'content-length': bytes.length }).end(bytes);
    };
  }
  if (task.kind === 'empty') throw new Error('an empty Fastify needs no listener');
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
