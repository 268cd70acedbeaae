import { LRUCache } from 'lru-cache';

/** Token buckets: count calls per minute for each name, with continuous refill. */
export interface Buckets {
  /** Takes one call. 0: it was available; otherwise the whole seconds until one is. */
  take(name: string, perMinute: number): number;
  /** Takes one call if one is available. Never refuses. */
  debit(name: string, perMinute: number): void;
  /** Returns a taken call. */
  giveBack(name: string, perMinute: number): void;
  /** The remaining whole calls, and the seconds until the bucket is full. */
  state(name: string, perMinute: number): { remaining: number; fullInSeconds: number };
}

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
