/**
 * `npm run mutants -- [--only MISTAKE]… [--at-once N]`: lets each wrong program run every scenario of its profile, and compares what
 * it fails with the table. `npm test` runs of each what it must fail and one other.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  isOfProfile,
  type Profile,
  type ScenarioId,
  scenarioIds,
} from '../../src/contract/sandbox/scenarios.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { withTemplate } from '../harness/template.ts';
import { failuresOf, idsOf } from './failures.ts';
import { type Mistake, mutants } from './mutants.ts';
import { linesOf, mutantsTable } from './table.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    // A program mostly waits, as scenarios want it.
    'at-once': { type: 'string', default: '12' },
  },
});
const all = Object.keys(mutants) as Mistake[];
const chosen = values.only ? all.filter((mistake) => values.only!.includes(mistake)) : all;

/** Whether a mistake fails exactly its scenarios, of all of its profile. */
async function isExact(service: TestService, mistake: Mistake): Promise<boolean> {
  const [profile, ...expected] = mutants[mistake] as readonly [Profile, ...ScenarioId[]];
  const asked = scenarioIds.filter((id) => isOfProfile(id, profile));
  const began = performance.now();
  const seconds = () => `(${((performance.now() - began) / 1_000).toFixed(0)} s)`;
  try {
    const failed = await failuresOf(service, profile, mistake, asked);
    const isRight = idsOf(failed).join() === expected.toSorted().join();
    const names = idsOf(failed).join(', ');
    console.log(`${isRight ? 'exact' : 'WRONG'}  ${mistake}: ${names} ${seconds()}`);
    for (const { scenario, findings } of failed.filter((one) => !expected.includes(one.scenario))) {
      for (const { message } of findings) console.log(`       ${scenario}: ${message}`);
    }
    return isRight;
  } catch (error) {
    // What stops one program's run is told, and the others go on.
    console.log(`WRONG  ${mistake}: ${(error as Error).message} ${seconds()}`);
    return false;
  }
}

/** Writes the table of the documents. */
async function writeTable(): Promise<void> {
  const file = path.join(import.meta.dirname, '../../docs/contributors/conformance.md');
  const text = await readFile(file, 'utf8');
  const [head, ...rows] = mutantsTable();
  const before = text.slice(0, text.search(/^\| Mistake /m));
  if (linesOf(text, head!).join() === [head, ...rows].join()) return;
  const rest = text.slice(before.length).replace(/^(\|.*\n)+/, '');
  await writeFile(file, `${before}${[head, '| --- | --- | --- |', ...rows].join('\n')}\n${rest}`);
  console.log('The table in docs/contributors/conformance.md is written: format it.');
}

await writeTable();
await withTemplate(async (connection) => {
  process.env['LATCHKEY_TEST_POSTGRES'] = JSON.stringify(connection);
  const service = await startTestService();
  const left = [...chosen];
  const results: boolean[] = [];
  try {
    await Promise.all(
      Array.from({ length: Number(values['at-once']) }, async () => {
        for (let next = left.shift(); next; next = left.shift()) {
          results.push(await isExact(service, next));
        }
      }),
    );
  } finally {
    await service.stop();
  }
  const exact = results.filter(Boolean).length;
  console.log(`${exact} of ${chosen.length} wrong programs fail exactly their scenarios.`);
  if (exact < chosen.length) process.exitCode = 1;
});
