import { type MakeBuckets, networkOf } from '../access/index.ts';
import { refuse, RefusalError } from '../contract/errors.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import { currentOrigin } from '../platform/audit/origin.ts';
import { secretDigest } from './secret.ts';

const { passwordsPerMinute, codesPerMinute } = operatorLimits;

/** Counts tries. Each method throws `rate_limited` if there were too many, and returns how to take the try back. */
export interface Throttle {
  /** A password for an account, from the network of the caller: others cannot lock the account. */
  password(email: string): Promise<() => Promise<void>>;
  /** A code or password for an account, by a caller who has its password or session. */
  confirmation(staffId: string): Promise<() => Promise<void>>;
}

/** The limits of signing in. */
export function createThrottle(makeBuckets: MakeBuckets): Throttle {
  const buckets = makeBuckets('sign-in');
  async function take(name: string, perMinute: number): Promise<() => Promise<void>> {
    const retryAfterSeconds = await buckets.take(name, perMinute);
    if (retryAfterSeconds > 0)
      throw new RefusalError({ ...refuse('rate_limited'), retryAfterSeconds });
    return async () => void (await buckets.giveBack(name, perMinute));
  }
  return {
    password(email) {
      const account = secretDigest(email).toString('base64url');
      const network = networkOf(currentOrigin()?.address ?? '');
      return take(`password ${account} ${network}`, passwordsPerMinute);
    },
    confirmation: (staffId) => take(`confirmation ${staffId}`, codesPerMinute),
  };
}
