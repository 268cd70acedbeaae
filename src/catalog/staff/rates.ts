/** What staff do with prices of dates. */
import { isRefusal, refuse } from '../../contract/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { importRates } from '../import/import-rates.ts';
import { setBulkRates } from '../set-bulk-rates.ts';
import { setRates } from '../set-rates.ts';
import { undoRates } from '../undo-change.ts';
import { confirmUnusual } from '../unusual-changes.ts';
import { contentActs } from './acts.ts';
import { csvProblems } from './file-problems.ts';
import { followed } from './followed.ts';

const invalid = (path: string, message: string) =>
  refuse('invalid_input', { fields: [{ path, message }] });

const prices = ['nightly', 'changePercent', 'changeAmount'] as const;
const members = [
  ...prices,
  'minNights',
  'maxNights',
  'minNightsThrough',
  'arrivalDays',
  'departureDays',
] as const;

/** Prices of dates: set, changed, undone, imported. */
export const rateActs = contentActs({
  'operator.rate.set': async ({ context, actor, body, seen, dryRun }) => {
    const { from, to, expectedVersion: _, ...given } = body;
    if (to < from) return invalid('/to', 'must not be before from');
    if (!members.some((name) => given[name] !== undefined)) {
      return invalid('', `needs one of ${members.join(', ')}`);
    }
    const [price, another] = prices.filter((name) => given[name] !== undefined);
    if (another !== undefined) return invalid(`/${another}`, `must not be there with ${price}`);
    const rates = { from, to, ...given, seen, dryRun };
    const set = await setRates(context.database, actor.name, rates);
    if (!isRefusal(set) && set.changeId !== null) await context.catalog.followSoon();
    return set;
  },
  'operator.rate.undo': ({ context, actor, params }) =>
    followed(context, undoRates(context.database, actor.name, params.rateChangeId)),
  'operator.rate.setBulk': async ({ context, actor, body }) => {
    const set = await setBulkRates(context.database, actor.name, body.rates);
    if (!isRefusal(set) && set.dates > 0) await context.catalog.followSoon();
    return set;
  },
  'operator.rate.confirmUnusual': async ({ context, actor, params }) => {
    const confirmed = await confirmUnusual(context.database, actor.name, params.changeId);
    return confirmed ? null : refuse('not_found');
  },
  'operator.rate.import': async ({ context, actor, body }) => {
    const { file, dryRun = false, allowUnusual = false } = body;
    const mostLines = operatorLimits.csvLines;
    const options = { actor: actor.name, dryRun, mostLines, allowUnusual };
    const result = await importRates(context.database, Buffer.from(file), options);
    if (isRefusal(result)) return result;
    if ('problems' in result) return csvProblems(result.problems);
    await context.catalog.followSoon();
    const { listings, unchanged, changes, unusual } = result;
    const added = changes.filter(({ before }) => before === null).length;
    return {
      dryRun,
      listings,
      added,
      changed: changes.length - added,
      unchanged,
      changes: changes.slice(0, operatorLimits.describedChanges),
      unusual,
    };
  },
});
