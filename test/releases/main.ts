/**
 * Keeps the data of a release: `npm run keep-release-data -- NAME [PROJECT]` starts the version in PROJECT (this
 * one by default) in the simulation, lets the demo book, and writes its database as SQL to
 * `test/fixtures/releases/NAME.sql.gz`.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { findRunningPostgres } from '../../src/platform/embedded-postgres/index.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import type { Credentials } from '../harness/partner.ts';
import { testMasterKey } from '../harness/postgres.ts';
import { dumpRelease } from '../harness/release-data.ts';
import { projectRoot, serve } from '../harness/service-process.ts';

const [name, project = projectRoot] = process.argv.slice(2);
if (name === undefined) throw new Error('usage: npm run keep-release-data -- NAME [PROJECT]');

const folders = await makeDataFolders();
const dataDir = folders.folder();
const env = { LATCHKEY_MASTER_KEY: testMasterKey.toString('base64') };
const service = await serve({ dataDir, project, env });
await promisify(execFile)(process.execPath, ['src/demo/main.ts'], {
  cwd: project,
  env: {
    ...process.env,
    PORT: String(service.port),
    LATCHKEY_DATA_DIR: dataDir,
    BASE_URL: `http://localhost:${service.port}`,
  },
});
const text = await readFile(path.join(dataDir, 'sandbox-credentials.json'), 'utf8');
const credentials = JSON.parse(text) as { applications: Credentials[] };
const connection = (await findRunningPostgres(dataDir)) as pg.ClientConfig;
const client = new pg.Client(connection);
await client.connect();
const sql = `-- ${JSON.stringify(credentials.applications)}\n${await dumpRelease(client, project)}`;
await client.end();
await folders.clear();
const file = path.join(projectRoot, 'test/fixtures/releases', `${name}.sql.gz`);
await writeFile(file, gzipSync(sql, { level: 9 }));
