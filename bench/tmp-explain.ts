import { readConfig } from '../src/config.ts';
import { openStorage } from '../src/storage.ts';
import { readChangedHomes } from '../src/catalog/store/listings.ts';
const config = readConfig({
  LATCHKEY_ENVIRONMENT: 'test',
  LATCHKEY_DATA_DIR: `/tmp/ten-follow/10000/data`,
});
const storage = await openStorage(config, { join: false, log: () => undefined });
const { database } = storage;
let text = '';
const spy = {
  ...database,
  query: async (s: any, v: any) => {
    text = s.text;
    const t = performance.now();
    const r = await database.query(s, v);
    ts.push(Math.round(performance.now() - t));
    return r;
  },
} as any;
const ts: number[] = [];
for await (const _ of readChangedHomes(spy, 0));
console.log(ts.join(' '));
const c = await database.connect();
const q = text
  .replace('$1', '1')
  .replace('$2', "'00000000-0000-0000-0000-000000000000'")
  .replace('$3', '500');
const { rows } = await c.query('EXPLAIN (ANALYZE, BUFFERS) ' + q);
console.log(rows.map((r: any) => r['QUERY PLAN']).join('\n'));
await c.end();
await storage.close();
process.exit(0);
