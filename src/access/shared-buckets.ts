/** Buckets for several processes: in Redis, or else a share of each quota in each process. */
import type { Log } from '../platform/log.ts';
import { LRUCache } from 'lru-cache';
import { scriptOf, type Redis } from '../platform/redis/scripts.ts';
import {
  createBuckets,
  stateOf,
  waitSeconds,
  type Buckets,
  type BucketState,
  type LocalBuckets,
  type MakeBuckets,
} from './buckets.ts';

/** How processes share quotas. */
export interface SharedBy {
  /** Null: each process applies its share. */
  redis: Redis | null;
  /** The prefix of keys in Redis: installations can use the same server. */
  prefix: string;
  /** How many live processes serve calls, this one included. */
  processes(): number;
  log: Pick<Log, 'info' | 'warn'>;
  /** A monotonic clock. Absent: that of this process. */
  elapsedMs?: (() => number) | undefined;
}

type Act = 'take' | 'debit' | 'giveBack' | 'read';

/** The result of one act: whether a call was taken, and the level after it. */
interface Level {
  taken: boolean;
  level: number;
}

// Redis's own time, so that the clocks of processes do not matter. A full bucket is the same as none.
const script = scriptOf(`
local time = redis.call('TIME')
local at = time[1] * 1000000 + time[2]
local perMinute = tonumber(ARGV[1])
local known = redis.call('HMGET', KEYS[1], 'level', 'at')
local level = perMinute
if known[1] then
  local passed = math.max(0, at - tonumber(known[2]))
  level = math.min(perMinute, tonumber(known[1]) + passed * perMinute / 60000000)
end
local taken = 0
if ARGV[2] == 'take' and level >= 1 then
  level = level - 1
  taken = 1
elseif ARGV[2] == 'debit' then
  level = math.max(0, level - 1)
elseif ARGV[2] == 'giveBack' then
  level = math.min(perMinute, level + 1)
end
if ARGV[2] ~= 'read' then
  redis.call('HSET', KEYS[1], 'level', string.format('%.9f', level), 'at', string.format('%.0f', at))
  redis.call('PEXPIRE', KEYS[1], math.ceil((perMinute - level) * 60000 / perMinute) + 1000)
end
return {taken, string.format('%.9f', level)}
`);

// After a failure Redis is not asked for this long, so that calls do not wait for it one by one.
const awayMs = 1_000;
// The headers of a response follow the act of the same call.
const knownForMs = 1_000;
const mostKnown = 100_000;

const shareOf = (perMinute: number, processes: number): number =>
  processes <= 1 ? perMinute : Math.max(1, Math.floor(perMinute / processes));

/** The share of this process in each quota. */
const createShares = (local: LocalBuckets, processes: () => number): LocalBuckets => {
  const share = (perMinute: number): number => shareOf(perMinute, processes());
  return {
    take: (name, perMinute) => local.take(name, share(perMinute)),
    debit: (name, perMinute) => local.debit(name, share(perMinute)),
    giveBack: (name, perMinute) => local.giveBack(name, share(perMinute)),
    state: (name, perMinute) => local.state(name, share(perMinute)),
    start: (name, perMinute, level) =>
      local.start(name, share(perMinute), level / Math.max(1, processes())),
  };
};

/** Whether Redis is in use; says once when that changes. */
function createAvailability({ log }: SharedBy, elapsedMs: () => number) {
  let awayUntil = 0;
  let isAway = false;
  return {
    mayAsk: () => elapsedMs() >= awayUntil,
    failed(error: unknown): void {
      awayUntil = elapsedMs() + awayMs;
      if (!isAway)
        log.warn({ err: error }, 'quotas are not shared; this process applies its share');
      isAway = true;
    },
    succeeded(): void {
      if (isAway) log.info({}, 'quotas are shared again');
      isAway = false;
    },
    isShared: () => !isAway,
  };
}

interface Known {
  level: number;
  at: number;
}

/** One set of buckets in Redis. Falls back to the share of this process. */
class RedisBuckets implements Buckets {
  readonly #ask: (act: Act, name: string, perMinute: number) => Promise<Level | null>;
  readonly #shares: LocalBuckets;
  readonly #elapsedMs: () => number;
  readonly #known = new LRUCache<string, Known>({ maxSize: mostKnown, sizeCalculation: () => 1 });

  constructor(
    ask: (act: Act, name: string, perMinute: number) => Promise<Level | null>,
    shares: LocalBuckets,
    elapsedMs: () => number,
  ) {
    this.#ask = ask;
    this.#shares = shares;
    this.#elapsedMs = elapsedMs;
  }

  /** Null: Redis cannot be reached. Then the share starts with this process's part of what was left. */
  async #act(act: Act, name: string, perMinute: number): Promise<Level | null> {
    const result = await this.#ask(act, name, perMinute);
    const known = this.#known.get(name);
    if (result) this.#known.set(name, { level: result.level, at: this.#elapsedMs() });
    else if (known) {
      this.#known.delete(name);
      this.#shares.start(name, perMinute, this.#levelOf(known, perMinute));
    }
    return result;
  }

  #levelOf({ level, at }: Known, perMinute: number): number {
    return Math.min(perMinute, level + ((this.#elapsedMs() - at) * perMinute) / 60_000);
  }

  async take(name: string, perMinute: number): Promise<number> {
    const result = await this.#act('take', name, perMinute);
    if (!result) return this.#shares.take(name, perMinute);
    return result.taken ? 0 : waitSeconds(result.level, perMinute);
  }

  async debit(name: string, perMinute: number): Promise<void> {
    if (!(await this.#act('debit', name, perMinute))) this.#shares.debit(name, perMinute);
  }

  async giveBack(name: string, perMinute: number): Promise<void> {
    if (!(await this.#act('giveBack', name, perMinute))) this.#shares.giveBack(name, perMinute);
  }

  async state(name: string, perMinute: number): Promise<BucketState> {
    const known = this.#known.get(name);
    if (known && this.#elapsedMs() - known.at < knownForMs) {
      return stateOf(this.#levelOf(known, perMinute), perMinute);
    }
    const result = await this.#act('read', name, perMinute);
    return result ? stateOf(result.level, perMinute) : this.#shares.state(name, perMinute);
  }
}

/** The buckets of this process: shared in Redis, or its share of each quota. */
export interface OpenBuckets {
  make: MakeBuckets;
  /** Whether quotas are exact across processes now. */
  areShared(): boolean;
}

/**
 * Opens the buckets of all limits. With Redis they are exact across processes; if it does not respond in
 * time, and without it, each process applies its share, which is approximate. Spec: QUOTA-8.
 */
export function openBuckets(shared: SharedBy): OpenBuckets {
  const { redis, prefix, processes, elapsedMs = () => performance.now() } = shared;
  const shares = (): LocalBuckets => createShares(createBuckets(elapsedMs), processes);
  if (!redis) return { make: shares, areShared: () => processes() <= 1 };
  const availability = createAvailability(shared, elapsedMs);
  const askFor = (set: string) => async (act: Act, name: string, perMinute: number) => {
    if (!availability.mayAsk()) return null;
    try {
      const key = `${prefix}:${set}:${name}`;
      const [taken, level] = (await redis.run(script, key, [String(perMinute), act])) as [
        number,
        string,
      ];
      availability.succeeded();
      return { taken: taken === 1, level: Number(level) };
    } catch (error) {
      availability.failed(error);
      return null;
    }
  };
  return {
    make: (set) => new RedisBuckets(askFor(set), shares(), elapsedMs),
    areShared: availability.isShared,
  };
}
