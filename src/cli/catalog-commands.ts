/** The commands that read or write files of catalogs, rates and blocks. */
import { open, readFile, stat } from 'node:fs/promises';
import {
  changesAnything,
  differenceText,
  exportCatalog,
  furtherProblems,
  type FileProblems,
  fileSource,
  importCatalog,
  importRates,
  type RateChange,
  listCatalogs,
  unusualLines,
} from '../catalog/index.ts';
import { catalogSchema } from '../contract/catalog-file.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { moneyText } from '../contract/money-text.ts';
import { refuseConflict, refuseStaff } from '../contract/operator/errors.ts';
import {
  artificialNightsRefusal,
  blockImport,
  importBlocks,
  readFileBlocks,
} from '../inventory/index.ts';
import type { CsvProblem } from '../platform/csv.ts';
import { dateText, todayAt } from '../pricing/index.ts';
import { generateCatalog, mostGenerated } from '../simulation/index.ts';
import { command, type CommandContext, type Outcome } from './command.ts';
import * as kinds from './flag-kinds.ts';
import { followed } from './followed.ts';
import { drawProgress } from './progress.ts';

const largestCsvBytes = 64 * 1024 * 1024;
const shownProblems = 100;

const file = {
  kind: kinds.line('FILE', 4_096),
  required: true,
  description: 'The file.',
} as const;
const catalog = {
  kind: kinds.slug,
  required: false,
  description: 'The catalog, by its slug; without it, the only one.',
} as const;
const dryRun = {
  kind: kinds.withoutValue,
  required: false,
  description: 'Show what would change, and change nothing.',
} as const;
const nothingImported = 'Nothing was imported.';

function refusalOf(
  name: string,
  count: number,
  lines: readonly string[],
  further: string | null,
): Refusal<'conflict'> {
  const more = further === null ? [] : [`… ${further}`];
  const problems = count === 1 ? 'a problem' : `${count} problems`;
  return refuseStaff(
    'conflict',
    [`${name} has ${problems}. ${nothingImported}`, ...lines, ...more].join('\n  '),
  );
}

const catalogRefusal = (name: string, problems: FileProblems): Refusal<'conflict'> =>
  refusalOf(
    name,
    problems.count,
    problems.first.map(
      ({ line, pointer, message }) => `line ${line}: ${pointer || 'the file'} ${message}`,
    ),
    furtherProblems(problems),
  );

function csvRefusal(name: string, problems: readonly CsvProblem[]): Refusal<'conflict'> {
  const lines = problems
    .toSorted((a, b) => a.line - b.line)
    .slice(0, shownProblems)
    .map(({ line, column, message }) =>
      column === null ? `line ${line}: ${message}` : `line ${line}, ${column}: ${message}`,
    );
  const more = problems.length - lines.length;
  return refusalOf(name, problems.length, lines, more > 0 ? `and ${more} more problems` : null);
}

/** Checks that a file can be read. Returns its size. */
export async function sizeOf(name: string): Promise<number | Refusal<'conflict'>> {
  try {
    await (await open(name)).close();
    const found = await stat(name);
    if (!found.isFile()) throw new Error('it is not a file');
    return found.size;
  } catch (error) {
    return refuseConflict(`${name} cannot be read: ${(error as Error).message}.`);
  }
}

async function readCsvFile(name: string): Promise<Buffer | Refusal<'conflict'>> {
  const bytes = await sizeOf(name);
  if (isRefusal(bytes)) return bytes;
  if (bytes <= largestCsvBytes) return readFile(name);
  return refuseConflict(`${name} is larger than ${largestCsvBytes / 1024 / 1024} MB: split it.`);
}

const dryRunNote = 'This was a dry run: nothing has changed.';

async function runImport(
  { database, actor, environment, terminal }: CommandContext,
  values: {
    file: string;
    catalog: string | undefined;
    replace: boolean | undefined;
    'dry-run': boolean | undefined;
  },
): Promise<Outcome | Refusal> {
  const { file: name, catalog: slug, replace = false, 'dry-run': isDryRun = false } = values;
  const bytes = await sizeOf(name);
  if (isRefusal(bytes)) return bytes;
  const bar = drawProgress(terminal, bytes);
  const result = await importCatalog(database, fileSource(name, bar.update), {
    mode: replace ? 'replace' : 'merge',
    dryRun: isDryRun,
    slug,
    actor,
    blocks: environment === 'simulation' ? null : blockImport,
  }).finally(bar.end);
  if ('problems' in result) return catalogRefusal(name, result.problems);
  const { difference, warnings } = result;
  await followed(!isDryRun && changesAnything(difference));
  return {
    document: { catalog: result.catalog, dryRun: isDryRun, changes: difference, warnings },
    text: differenceText(difference),
    note: [...warnings, ...(isDryRun ? [dryRunNote] : [])].join('\n') || undefined,
  };
}

const catalogVerbs = {
  import: command({
    summary: 'Imports a catalog file: adds and changes what it names.',
    argument: 'file',
    flags: {
      file,
      catalog: { ...catalog, description: 'Write this catalog, not the one that the file names.' },
      replace: {
        kind: kinds.withoutValue,
        required: false,
        description: 'The file is the whole catalog: withdraw from sale what it does not name.',
      },
      'dry-run': dryRun,
    },
    changesApplication: false,
    run: runImport,
  }),
  export: command({
    summary: 'Prints a catalog as a catalog file.',
    flags: { catalog },
    changesApplication: false,
    onlyReads: true,
    async run({ database, write }, { catalog: slug }) {
      const exported = await exportCatalog(database, slug, readFileBlocks, write);
      return isRefusal(exported) ? exported : 'written';
    },
  }),
  list: command({
    summary: 'Lists all catalogs.',
    flags: {},
    changesApplication: false,
    async run({ database }) {
      return { document: { items: await listCatalogs(database) } };
    },
  }),
  schema: command({
    summary: 'Prints the JSON Schema of catalog files.',
    flags: {},
    print: () => [catalogSchema()],
  }),
  generate: command({
    summary: 'Prints a realistic catalog file, the same for the same seed and first day.',
    flags: {
      listings: {
        kind: kinds.wholeNumber({ min: 1, max: mostGenerated }),
        required: true,
        description: 'How many homes it has.',
      },
      seed: {
        kind: kinds.wholeNumber({ min: 0, max: 4_294_967_295 }),
        required: true,
        description: 'Another number gives another catalog.',
      },
      from: {
        kind: kinds.date,
        required: false,
        description: 'The first day whose nights may be taken; the default is today.',
      },
    },
    print: ({ listings, seed, from = dateText(todayAt(Date.now(), null)) }) =>
      generateCatalog({ listings, seed, from }),
  }),
};

function rateText({ nightly, minNights }: RateChange['after'], currency: string): string {
  const price = nightly === undefined ? 'no price' : moneyText(nightly, currency);
  return minNights === undefined ? price : `${price}, minNights ${minNights}`;
}

/** A line for each entry that changes, with its prices as money. Spec: FILE-14. */
const ratesText = (changes: readonly RateChange[]): string =>
  changes.length === 0
    ? 'Nothing changes.'
    : changes
        .map(({ listing, currency, before, after }) => {
          const now = rateText(after, currency);
          const prices = before ? `${rateText(before, currency)} → ${now}` : now;
          return `${before ? '~' : '+'} ${listing} ${after.from} to ${after.to}: ${prices}`;
        })
        .join('\n');

const rateVerbs = {
  import: command({
    summary: 'Imports prices of dates from CSV: listing,from,to,nightly or price,minNights.',
    argument: 'file',
    flags: {
      file,
      'dry-run': dryRun,
      'allow-unusual': {
        kind: kinds.withoutValue,
        required: false,
        description:
          'Set prices also where a night would cost less than a fifth or more than five times of now.',
      },
    },
    changesApplication: false,
    async run({ database, actor }, { file: name, ...flags }) {
      const { 'dry-run': isDryRun = false, 'allow-unusual': allowUnusual = false } = flags;
      const bytes = await readCsvFile(name);
      if (isRefusal(bytes)) return bytes;
      const options = { actor, dryRun: isDryRun, allowUnusual };
      const result = await importRates(database, bytes, options);
      if (isRefusal(result)) return result;
      if ('problems' in result) return csvRefusal(name, result.problems);
      const { listings, unchanged, changes, unusual } = result;
      const notes = [...unusualLines(unusual), ...(isDryRun ? [dryRunNote] : [])];
      await followed(!isDryRun && changes.length > 0);
      const added = changes.filter(({ before }) => before === null).length;
      return {
        document: {
          dryRun: isDryRun,
          listings,
          added,
          changed: changes.length - added,
          unchanged,
          unusual,
          ...(isDryRun ? { changes } : {}),
        },
        ...(isDryRun ? { text: ratesText(changes) } : {}),
        note: notes.join('\n') || undefined,
      };
    },
  }),
};

const blockVerbs = {
  import: command({
    summary: 'Imports blocks from CSV: listing,from,to,reason.',
    argument: 'file',
    flags: { file, 'dry-run': dryRun },
    changesApplication: false,
    async run(context, { file: name, 'dry-run': isDryRun = false }) {
      const refusal = artificialNightsRefusal(context.environment, 'blocks');
      if (refusal) return refusal;
      const { database, actor } = context;
      const bytes = await readCsvFile(name);
      if (isRefusal(bytes)) return bytes;
      const result = await importBlocks(database, bytes, { actor, dryRun: isDryRun });
      if ('problems' in result) return csvRefusal(name, result.problems);
      const { changes, ...counts } = result;
      return {
        document: { dryRun: isDryRun, ...counts, ...(isDryRun ? { changes } : {}) },
        note: isDryRun ? dryRunNote : undefined,
      };
    },
  }),
};

/** Catalogs, rates and blocks, from and into files. */
export const catalogCommands = { catalog: catalogVerbs, rate: rateVerbs, block: blockVerbs };
