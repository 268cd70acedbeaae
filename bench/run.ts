/** Measures each row and its floor in alternating rounds, and prints medians and ratios. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { growth } from './measures/growth.ts';
import { inventory } from './measures/nights-index.ts';
import type { Measure, Round } from './measure.ts';
import { closeMeasures, measures } from './measures.ts';

/** A row of the `--json` output. */
interface Result {
  name: string;
  floor: number;
  figure: number;
  /** The median of the ratios of the rounds, so that drift between rounds cancels out. */
  ratio: number;
  good: number | null;
  aim: number | null;
  unit: string;
}

const usage = `npm run bench -- [--only NAME[,NAME]] [--rounds N] [--json FILE] [--bookings N] [--homes N]
  [--minutes N] [--folder DIR]

${measures.map(({ name, title }) => `  ${name.padEnd(28)}${title}`).join('\n')}

Runs only if named: growth (all growth-… rows), with --bookings N (default 10,000,000), or as many
bookings as can be written in --minutes N (default 60); --folder DIR keeps the filled databases there, and uses
them again; index (all index-… rows), follow and large-change, with --homes N (default 100,000);
fleet (several processes); cost (the CPU time of each kind of call).
`;

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const short = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : value.toPrecision(3);

async function measured(measure: Measure, rounds: number): Promise<Result> {
  const taken: Round[] = [];
  await measure.run(rounds, (round) => {
    taken.push(round);
    const ratio = (round.figure / round.floor).toFixed(3);
    process.stderr.write(
      `${measure.name} ${taken.length}/${rounds}: floor ${short(round.floor)}, figure ${short(round.figure)} ${measure.unit}, ratio ${ratio}\n`,
    );
  });
  return {
    name: measure.name,
    floor: median(taken.map(({ floor }) => floor)),
    figure: median(taken.map(({ figure }) => figure)),
    ratio: median(taken.map(({ floor, figure }) => figure / floor)),
    good: measure.good,
    aim: measure.aim,
    unit: measure.unit,
  };
}

function verdict({ better }: Measure, { ratio, good, aim }: Result): string {
  const reaches = (target: number | null): boolean =>
    target !== null && (better === 'more' ? ratio >= target : ratio <= target);
  if (good === null) return '';
  if (reaches(aim)) return 'aim';
  return reaches(good) ? 'good' : 'missed';
}

function printTable(rows: readonly { measure: Measure; result: Result }[]): void {
  const lines = rows.map(({ measure, result }) => {
    const { floor, figure, ratio, good, aim, unit } = result;
    const cells = [measure.title, short(floor), short(figure), unit, ratio.toFixed(3)];
    return `| ${[...cells, good ?? '', aim ?? '', verdict(measure, result)].join(' | ')} |`;
  });
  console.log('| what | floor | figure | unit | ratio | good | aim | |');
  console.log('| --- | ---: | ---: | --- | ---: | ---: | ---: | --- |');
  console.log(lines.join('\n'));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      json: { type: 'string' },
      bookings: { type: 'string', default: String(growth.bookings) },
      homes: { type: 'string', default: String(inventory.homes) },
      minutes: { type: 'string', default: String(growth.withinMinutes) },
      folder: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const only = values.only?.split(',');
  const isChosen = ({ name, group }: Measure): boolean =>
    only ? only.includes(name) || only.includes(group ?? name) : group === undefined;
  const chosen = measures.filter(isChosen);
  const rounds = Number(values.rounds);
  growth.bookings = Number(values.bookings);
  growth.withinMinutes = Number(values.minutes);
  growth.folder = values.folder && path.resolve(values.folder);
  inventory.homes = Number(values.homes);
  if (
    values.help ||
    chosen.length === 0 ||
    !(rounds >= 1) ||
    !(growth.bookings >= 1 && growth.withinMinutes > 0 && inventory.homes >= 1)
  ) {
    console.error(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const rows: { measure: Measure; result: Result }[] = [];
  try {
    for (const measure of chosen) {
      rows.push({ measure, result: await measured(measure, rounds) });
      // After each row: a later one may fail.
      if (values.json === undefined) continue;
      const results = rows.map(({ result }) => result);
      await writeFile(values.json, `${JSON.stringify(results, null, 2)}\n`);
    }
  } finally {
    printTable(rows);
    await closeMeasures();
  }
}

await main();
