/** A balancer before a service and a service of another release, whose pages have files with other names. */
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify from 'fastify';
import { pageRoutes } from '../../src/api/pages/pages.ts';
import { projectRoot } from './service-process.ts';

const text = /\.(?:js|css|html)$/;

/** Copies the built pages into a folder; each file has another name there. */
async function renameFiles(folder: string): Promise<void> {
  const assets = path.join(folder, 'assets');
  await cp(path.join(projectRoot, 'console/dist'), folder, { recursive: true });
  const names = (await readdir(assets)).filter((name) => !/\.(?:gz|br)$/.test(name));
  // The hash: it has the same length in all names, so no name is a part of another.
  const stems = names.map((name) => path.parse(name).name);
  const known = new RegExp(stems.map((stem) => RegExp.escape(stem)).join('|'), 'g');
  const renamed = (from: string): string => from.replaceAll(known, (stem) => `${stem}0`);
  const pages = ['operator.html', 'portal.html'].map((name) => path.join(folder, name));
  for (const file of [...names.map((name) => path.join(assets, name)), ...pages]) {
    if (text.test(file)) await writeFile(file, renamed(await readFile(file, 'utf8')));
  }
  for (const name of names) await rename(path.join(assets, name), path.join(assets, renamed(name)));
}

/** A running balancer. */
export interface TwoReleases {
  origin: string;
  stop(): Promise<void>;
}

/** Asks both releases in turn for pages and their files, and the first one for all else. */
export async function serveTwoReleases(first: string): Promise<TwoReleases> {
  const folder = await mkdtemp(path.join(tmpdir(), 'lk-release-'));
  await renameFiles(folder);
  const other = Fastify();
  await pageRoutes(other, {
    baseUrl: first,
    environment: 'simulation',
    project: projectRoot,
    consoleFolder: folder,
  });
  const second = await other.listen({ host: '127.0.0.1', port: 0 });
  const origins = [first, second];
  let turn = 0;
  const server = createServer((call, reply) => {
    const isPage = !call.url!.includes('/v1/');
    if (isPage) turn += 1;
    const origin = isPage ? origins[turn % origins.length]! : first;
    const { method, headers } = call;
    const passed = request(new URL(call.url!, origin), { method, headers }, (answer) => {
      reply.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(reply);
    });
    call.pipe(passed.on('error', () => reply.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await other.close();
      await rm(folder, { recursive: true });
    },
  };
}
