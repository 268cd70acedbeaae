/**
 * Generates the committed files that are derived from the source.
 * `node src/build/generate.ts` writes them. `--check` lists the stale ones and exits with 1.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { nouns } from '../cli/commands.ts';
import { withReference } from '../cli/reference.ts';
import { clientSchemas } from '../contract/openapi/json-schemas.ts';
import { clientTable, clientTypes } from '../contract/openapi/typescript.ts';
import { openApiDocument } from '../contract/partner/openapi.ts';
import { operatorDocument } from '../contract/operator/openapi.ts';
import { portalDocument } from '../contract/portal/openapi.ts';
import { sandboxDocument } from '../contract/sandbox/openapi.ts';
import { contractRevision, wireVersion } from '../contract/wire.ts';
import { freshSchema } from './fresh-schema.ts';
import { withExamples } from './guide-examples.ts';
import { withLogLines } from './log-tables.ts';
import { withSettings } from './settings-table.ts';
import { statementsFile } from './statements.ts';

/** A generated file and its content. */
export interface GeneratedFile {
  /** Its path relative to the project's root. */
  file: string;
  content(): string | Promise<string>;
}

const locate = (file: string): URL => new URL(`../../${file}`, import.meta.url);

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const document = (): string => pretty(openApiDocument());

/** Binds the wire version to the bytes of the document. Spec: VERSION-4. */
const releaseManifest = (): string =>
  pretty({
    wireVersion,
    revision: contractRevision,
    document: 'openapi.json',
    sha256: createHash('sha256').update(document()).digest('hex'),
  });

const commandsFile = 'docs/operators/command-line.md';
const settingsFile = 'docs/operators/running.md';
const logsFile = 'docs/operators/logs.md';

/** The guide to the command line: only the parts that follow from rows are generated. */
const commandLineGuide = async (): Promise<string> =>
  withReference(await readFile(locate(commandsFile), 'utf8'), nouns);

/** The guide to running it: only the table of settings is generated. */
const settingsGuide = async (): Promise<string> =>
  withSettings(await readFile(locate(settingsFile), 'utf8'));

/** The guide to the log: only the tables of its lines are generated. */
const logsGuide = async (): Promise<string> =>
  withLogLines(await readFile(locate(logsFile), 'utf8'));

/** The guides that show recorded calls: only these blocks are generated. */
const examplesIn = (file: string) => async (): Promise<string> =>
  withExamples(await readFile(locate(file), 'utf8'));

const guidesWithExamples = ['changes', 'errors-and-retries', 'events', 'webhooks'].map(
  (name) => `docs/partners/${name}.md`,
);

/** The index of the records of decisions, by their numbers. */
async function decisionsIndex(): Promise<string> {
  const names = (await readdir(locate('docs/adr'))).filter((name) => /^\d{4}-/.test(name));
  const entries = names.toSorted().map(async (name) => {
    const [title = ''] = (await readFile(locate(`docs/adr/${name}`), 'utf8')).split('\n');
    return `- [${title.replace(/^# /, '')}](${name})\n`;
  });
  return [
    '# Records of decisions\n\n',
    'Each says what was decided, why, and what follows. A later record may replace one.\n\n',
    ...(await Promise.all(entries)),
  ].join('');
}

/** All generated files. */
const generatedFiles: readonly GeneratedFile[] = [
  { file: 'openapi.json', content: document },
  { file: 'portal-openapi.json', content: () => pretty(portalDocument()) },
  { file: 'sandbox-openapi.json', content: () => pretty(sandboxDocument()) },
  { file: 'operator-openapi.json', content: () => pretty(operatorDocument()) },
  { file: 'release-manifest.json', content: releaseManifest },
  { file: 'packages/partner/src/contract/types.ts', content: () => clientTypes(openApiDocument()) },
  { file: 'packages/partner/src/contract/operations.ts', content: () => clientTable(wireVersion) },
  {
    file: 'packages/partner/src/contract/schemas.ts',
    content: () => clientSchemas(openApiDocument()),
  },
  {
    file: 'packages/partner/src/contract/currency-digits.ts',
    content: () => readFile(locate('src/contract/currency-digits.ts'), 'utf8'),
  },
  { file: 'schema.sql', content: freshSchema },
  { file: 'statements.sql', content: statementsFile },
  { file: commandsFile, content: commandLineGuide },
  { file: settingsFile, content: settingsGuide },
  { file: logsFile, content: logsGuide },
  ...guidesWithExamples.map((file) => ({ file, content: examplesIn(file) })),
  { file: 'docs/adr/README.md', content: decisionsIndex },
];

const committed = (file: string): Promise<string | null> =>
  readFile(locate(file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });

/** Returns the generated files whose committed content is stale. */
export async function staleFiles(): Promise<string[]> {
  const checks = generatedFiles.map(async ({ file, content }) => {
    const fresh = (await content()) === (await committed(file));
    return fresh ? [] : [file];
  });
  return (await Promise.all(checks)).flat();
}

async function check(): Promise<void> {
  const stale = await staleFiles();
  if (stale.length === 0) return;
  console.error(`Stale: ${stale.join(', ')}. Refresh with "npm run generate" and commit.`);
  process.exitCode = 1;
}

async function generate(): Promise<void> {
  for (const { file, content } of generatedFiles) {
    const fresh = await content();
    const isStale = fresh !== (await committed(file));
    if (isStale) await writeFile(locate(file), fresh);
    console.log(`${isStale ? 'Wrote' : 'Kept'} ${file}`);
  }
}

if (import.meta.main) await (process.argv.includes('--check') ? check() : generate());
