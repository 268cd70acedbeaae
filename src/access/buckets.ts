import { LRUCache } from 'lru-cache';

/** Counts calls a minute for any number of names, with continuous refill. */
export interface Buckets {
  /** Takes one. 0: it was there; otherwise the whole seconds until it is. */
  take(name: string, perMinute: number): number;
  /** Takes one if there is one, and never refuses. */
  debit(name: string, perMinute: number): void;
  /** Puts one back that was taken. */
  giveBack(name: string, perMinute: number): void;
  /** What is left, in whole calls, and the seconds until all of it is back. */
  state(name: string, perMinute: number): { remaining: number; fullInSeconds: number };
}

interface Bucket {
  level: number;
  perMinute: number;
  /** When `level` was true. */
  at: number;
}

// Beyond that the least recently used is dropped, and is then full: the bound of the memory, a few dozen MB.
// As a size and not as `max`, for which all of the room would be taken at the start.
const mostKept = 100_000;

/** Buckets in this process. `elapsedMs` is a clock that nobody sets. */
export function createBuckets(elapsedMs: () => number = () => performance.now()): Buckets {
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
      return Math.max(1, Math.ceil(((1 - bucket.level) * 60) / perMinute));
    },
    debit(name, perMinute) {
      const bucket = bucketOf(name, perMinute);
      bucket.level = Math.max(0, bucket.level - 1);
    },
    giveBack(name, perMinute) {
      const bucket = bucketOf(name, perMinute);
      bucket.level = Math.min(perMinute, bucket.level + 1);
    },
    state(name, perMinute) {
      const { level } = bucketOf(name, perMinute);
      return {
        remaining: Math.floor(level),
        fullInSeconds: Math.ceil(((perMinute - level) * 60) / perMinute),
      };
    },
  };
}
