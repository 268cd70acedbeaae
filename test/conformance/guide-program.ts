/** The program of the guide to conformance runs, as a reader would save it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LatchkeyClient } from '../../packages/partner/src/index.ts';
import type { Outcome, Task } from '../../src/contract/sandbox/conformance.ts';
import type { Profile } from '../../src/contract/sandbox/scenarios.ts';

const project = path.join(import.meta.dirname, '../..');

/** Does a task and returns its outcome. */
export type DoTask = (
  client: LatchkeyClient,
  profile: Profile,
  task: Task,
  endpoint: { port?: number; secrets: string[] },
) => Promise<Outcome>;

interface GuideProgram {
  doTask: DoTask;
  /** The operations that it has seen deprecated. */
  deprecated: Set<string>;
}

/** The program as a text. */
async function guideProgram(): Promise<string> {
  const guide = await readFile(path.join(project, 'docs/partners/conformance.md'), 'utf8');
  const [, program] = /^```javascript\n(.*?)^```$/ms.exec(guide) ?? [];
  if (program === undefined) throw new Error('the guide has no program');
  return program;
}

/** The program with the client of the source. */
export async function programOfSource(): Promise<string> {
  const client = pathToFileURL(path.join(project, 'packages/partner/src/index.ts')).href;
  return (await guideProgram()).replace("'@latchkey/partner'", `'${client}'`);
}

/** Loads the program with the client of the source. */
export async function loadGuideProgram(): Promise<GuideProgram> {
  const program = await programOfSource();
  const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-guide-'));
  try {
    const file = path.join(folder, 'conformance.mjs');
    await writeFile(file, program);
    return (await import(pathToFileURL(file).href)) as GuideProgram;
  } finally {
    await rm(folder, { recursive: true });
  }
}
