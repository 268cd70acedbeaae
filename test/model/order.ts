/** Searches for a sequential order that explains the responses of concurrent calls. */
import type { Tier } from '../../src/contract/limits.ts';
import { kindOf, type Call } from './call-kinds.ts';
import type { TwoSteps } from './kind.ts';
import { overQuota, type ReplySummary } from './reply-summary.ts';
import { dueIn, worldsAfterWork } from './outcomes.ts';
import type { AccountName, World } from './world.ts';

/** A call and its response; null: the response was discarded. */
export interface Heard {
  call: Call;
  replySummary: ReplySummary | null;
}

/** Equal calls with the same response. */
interface Group extends Heard {
  count: number;
}

/** Concurrent calls. */
export interface Moment {
  heard: readonly Heard[];
  /** Whether a worker ran at the same time. */
  isWorkerBusy: boolean;
}

// A world contains only JSON values, so its text is all of it: quick to compare, and to copy from.
const worldOf = (text: string): World => JSON.parse(text) as World;
const textOf = (value: unknown): string => JSON.stringify(value);

function groupsOf(heard: readonly Heard[]): Group[] {
  const groups = new Map<string, Group>();
  for (const one of heard) {
    const key = textOf(one);
    const known = groups.get(key);
    if (known) known.count += 1;
    else groups.set(key, { ...one, count: 1 });
  }
  return [...groups.values()];
}

const tierKey = (by: AccountName, tier: Tier): string => `${by} ${tier}`;

/**
 * Concurrent repeats can get 429 although the quota is not used up: each consumes one call until it is
 * recognised as a repeat. Known and accepted.
 */
export function crowdedQuotas(world: World, heard: readonly Heard[]): Set<string> {
  const crowded = new Set<string>();
  for (const { call } of heard) {
    const { tier } = kindOf(call);
    const { left } = world.accounts[call.by];
    const among = heard.filter(
      ({ call: other }) => other.by === call.by && kindOf(other).tier === tier,
    );
    const isTight = left !== null && tier !== 'read' && left[tier] < among.length;
    if (isTight && among.length > 1) crowded.add(tierKey(call.by, tier));
  }
  return crowded;
}

/** The possible worlds, as texts, after a call with this response. */
function after(
  world: string,
  { call, replySummary }: Heard,
  crowded: ReadonlySet<string>,
): string[] {
  const written = afterWriting(world, { call, replySummary });
  const next = worldOf(world);
  const predicted = kindOf(call).predict(next, call);
  // It may or may not have arrived.
  if (replySummary === null) return [textOf(next), world, ...written];
  if (textOf(predicted) === textOf(replySummary)) return [textOf(next), ...written];
  const mayBeRefused = crowded.has(tierKey(call.by, kindOf(call).tier));
  return mayBeRefused && replySummary.response === overQuota.response ? [world] : written;
}

const twoStepsOf = (call: Call): TwoSteps<Call> | undefined => {
  const kind = kindOf(call);
  return 'inTwoSteps' in kind ? kind.inTwoSteps : undefined;
};

/** The world, as a text, after a create that was decided before is written, if its response is this one. */
function afterWriting(world: string, { call, replySummary }: Heard): string[] {
  const steps = twoStepsOf(call);
  if (!steps) return [];
  const next = worldOf(world);
  const written = steps.write(next, call);
  if (written === null) return [];
  const isExplained = replySummary === null || textOf(written) === textOf(replySummary);
  return isExplained ? [textOf(next)] : [];
}

/** The creates that may be decided before they are written: a concurrent create of the same ID was refused. */
function createsInTwoSteps(groups: readonly Group[]): Call[] {
  const isRefused = ({ replySummary }: Heard) =>
    replySummary !== null && !('shows' in replySummary);
  const creates = groups.flatMap((group) => {
    const id = twoStepsOf(group.call)?.idOf(group.call);
    return id === undefined ? [] : [{ ...group, id }];
  });
  const refusedIds = new Set(creates.filter(isRefused).map(({ id }) => id));
  return creates
    .filter((create) => !isRefused(create) && refusedIds.has(create.id))
    .map(({ call }) => call);
}

/** The worlds, as texts, after the decision of one of these creates. */
const afterDecision = (world: string, creates: readonly Call[]): string[] =>
  creates.flatMap((call) => {
    const next = worldOf(world);
    return twoStepsOf(call)!.decide(next, call) ? [textOf(next)] : [];
  });

/** Whether something that was decided is not written yet. */
const isUnfinished = ({ accounts }: World): boolean =>
  Object.values(accounts).some(
    ({ decided, decidedChanges }) =>
      Object.keys(decided).length + Object.keys(decidedChanges).length > 0,
  );

/** The worlds, as texts, after one step of a worker. */
function afterWorker(world: string): string[] {
  return dueIn(worldOf(world)).map((_, at) => {
    const next = worldOf(world);
    dueIn(next)[at]!.move();
    return textOf(next);
  });
}

/** The worlds, as texts, after a worker has only taken the nights of a booking. */
function afterHold(world: string): string[] {
  return dueIn(worldOf(world)).flatMap((_, at) => {
    const next = worldOf(world);
    return dueIn(next)[at]!.hold() ? [textOf(next)] : [];
  });
}

/** Whether a booking can lose the nights that it holds: another system sells at the same time. */
const canLoseNights = (heard: readonly Heard[]): boolean =>
  heard.some(({ call }) => call.does === 'putOutside');

/** The same function, which computes the worlds after a world once. */
function remembered(worldsFrom: (world: string) => string[]): (world: string) => string[] {
  const known = new Map<string, string[]>();
  return (world) => known.getOrInsertComputed(world, worldsFrom);
}

/** All possible worlds afterwards; none: no order explains the responses. */
export function worldsAfter(start: World, { heard, isWorkerBusy }: Moment): World[] {
  const groups = groupsOf(heard);
  const crowded = crowdedQuotas(start, heard);
  // The same world is reached with other calls left, too.
  const afterGroup = groups.map((group) => remembered((world) => after(world, group, crowded)));
  const halves = canLoseNights(heard) ? afterHold : () => [];
  const afterStep = remembered((world) => [...afterWorker(world), ...halves(world)]);
  const creates = createsInTwoSteps(groups);
  const seen = new Set<string>();
  const ends = new Set<string>();

  function visit(world: string, counts: readonly number[]): void {
    const key = `${counts} ${world}`;
    if (seen.has(key)) return;
    seen.add(key);
    if (isWorkerBusy) for (const next of afterStep(world)) visit(next, counts);
    for (const next of afterDecision(world, creates)) visit(next, counts);
    if (counts.every((count) => count === 0) && !isUnfinished(worldOf(world))) {
      const last = isWorkerBusy ? worldsAfterWork(worldOf(world)).map(textOf) : [world];
      for (const end of last) ends.add(end);
    }
    for (const at of groups.keys()) {
      if (counts[at] === 0) continue;
      const rest = counts.with(at, counts[at]! - 1);
      for (const next of afterGroup[at]!(world)) visit(next, rest);
    }
  }

  visit(
    textOf(start),
    groups.map(({ count }) => count),
  );
  return [...ends].map(worldOf);
}
