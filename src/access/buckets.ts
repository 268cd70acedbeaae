import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../api/maybe-promise.ts';
import { refuse, type Refusal } from '../contract/errors.ts';

/** The state of a bucket. */
export interface BucketState {
  /** The calls per minute that it gives: fewer than asked for where processes share a quota without Redis. */
  perMinute: number;
  /** Whole calls. */
  remaining: number;
  fullInSeconds: number;
}

/**
 * Token buckets: count calls per minute for each name, with continuous refill. Results are promises where
 * processes share the buckets.
 */
export interface Buckets {
  /** Takes one call. 0: it was available; otherwise the whole seconds until one is. */
  take(name: string, perMinute: number): MaybePromise<number>;
  /** Takes one call if one is available. Never refuses. */
  debit(name: string, perMinute: number): MaybePromise<void>;
  /** Returns a taken call. */
  giveBack(name: string, perMinute: number): MaybePromise<void>;
  state(name: string, perMinute: number): MaybePromise<BucketState>;
}

/** Makes buckets; each set has names of its own. */
export type MakeBuckets = (set: string) => Buckets;

/** Buckets in the memory of this process. */
export interface LocalBuckets extends Buckets {
  take(name: string, perMinute: number): number;
  debit(name: string, perMinute: number): void;
  giveBack(name: string, perMinute: number): void;
  state(name: string, perMinute: number): BucketState;
  /** Starts a bucket with fewer calls than it can hold. */
  start(name: string, perMinute: number, level: number): void;
}

/** The refusal of a call that was not available for this many seconds. Null: it was. Spec: QUOTA-5. */
export const rateRefusal = (retryAfterSeconds: number): Refusal<'rate_limited'> | null =>
  retryAfterSeconds === 0 ? null : { ...refuse('rate_limited'), retryAfterSeconds };

/** What a level means to a caller. */
export const stateOf = (level: number, perMinute: number): BucketState => ({
  perMinute,
  remaining: Math.floor(level),
  fullInSeconds: Math.ceil(((perMinute - level) * 60) / perMinute),
});

/** The whole seconds until a bucket without a whole call has one. */
export const waitSeconds = (level: number, perMinute: number): number =>
  Math.max(1, Math.ceil(((1 - level) * 60) / perMinute));

interface Bucket {
  level: number;
  perMinute: number;
  /** The time of `level`. */
  at: number;
}

// Bounds the memory to a few dozen MB. The least recently used bucket is dropped, and is full when used again.
// Uses `maxSize`, because `max` would allocate all entries at the start.
const mostKept = 100_000;

/** Buckets in this process. `elapsedMs` is a monotonic clock. */
export function createBuckets(elapsedMs: () => number = () => performance.now()): LocalBuckets {
  const buckets = new LRUCache<string, Bucket>({ maxSize: mostKept, sizeCalculation: () => 1 });

  const refilled = (bucket: Bucket, perMinute: number, at: number): number =>
    Math.min(perMinute, bucket.level + ((at - bucket.at) * perMinute) / 60_000);

  function bucketOf(name: string, perMinute: number): Bucket {
    const at = elapsedMs();
    const known = buckets.get(name);
    if (known) {
      known.level = refilled(known, perMinute, at);
      known.perMinute = perMinute;
      known.at = at;
      return known;
    }
    const fresh = { level: perMinute, perMinute, at };
    buckets.set(name, fresh);
    return fresh;
  }

  return {
    take(name, perMinute) {
      const bucket = bucketOf(name, perMinute);
      if (bucket.level >= 1) {
        bucket.level -= 1;
        return 0;
      }
      return waitSeconds(bucket.level, perMinute);
    },
    debit(name, perMinute) {
      const bucket = bucketOf(name, perMinute);
      bucket.level = Math.max(0, bucket.level - 1);
    },
    giveBack(name, perMinute) {
      const bucket = bucketOf(name, perMinute);
      bucket.level = Math.min(perMinute, bucket.level + 1);
    },
    state: (name, perMinute) => stateOf(bucketOf(name, perMinute).level, perMinute),
    start(name, perMinute, level) {
      bucketOf(name, perMinute).level = Math.min(perMinute, level);
    },
  };
}
