/** The fenced blocks of the guides. The first line of a block of JSON says what it shows. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const project = path.join(import.meta.dirname, '../..');

/** A fenced block of a guide. */
export interface GuideBlock {
  /** Its path below the project's root. */
  file: string;
  language: string;
  /** The rest of its first line. */
  shows: string;
  text: string;
}

const fenced = /^```(\w*) ?([^\n]*)\n([^]*?)^```$/gm;

/** The blocks of the guides for partners, operators and the reservations team. */
export const guideBlocks: readonly GuideBlock[] = globSync(
  'docs/{partners,operators,reservations-team}/*.md',
  { cwd: project },
)
  .toSorted()
  .flatMap((file) =>
    [...readFileSync(path.join(project, file), 'utf8').matchAll(fenced)].map(
      ([, language = '', shows = '', text = '']) => ({ file, language, shows, text }),
    ),
  );

/** Whether a member of a block stands for others that are left out. */
const leftOut = '…';

/** Asserts that a value of a guide has the members of a real one, but for those that it leaves out. */
function assertLike(shown: unknown, real: unknown, pointer = ''): void {
  assert.equal(Array.isArray(shown), Array.isArray(real), pointer);
  if (Array.isArray(shown)) {
    for (const one of shown) assertLike(one, (real as unknown[])[0], `${pointer}/0`);
    return;
  }
  if (typeof shown !== 'object' || shown === null || typeof real !== 'object' || real === null)
    return;
  const names = Object.keys(shown);
  const known = Object.keys(real);
  const expected = names.includes(leftOut) ? known.filter((name) => names.includes(name)) : known;
  assert.deepEqual(
    names.filter((name) => name !== leftOut).toSorted(),
    expected.toSorted(),
    pointer || 'the document',
  );
  for (const name of expected) {
    assertLike(
      (shown as Record<string, unknown>)[name],
      (real as Record<string, unknown>)[name],
      `${pointer}/${name}`,
    );
  }
}

/** Asserts that the guides show what is posted in a format with the members that it really has. */
export function assertGuideShows(posted: { format: string }): void {
  const shows = `posted ${posted.format}`;
  const block = guideBlocks.find((one) => one.shows === shows);
  assert.ok(block, `no guide shows ${shows}`);
  assertLike(JSON.parse(block.text), JSON.parse(JSON.stringify(posted)));
}
