import { type MakeBuckets, rateRefusal } from '../access/index.ts';
import type { Refusal } from '../contract/errors.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import { currentOrigin } from '../platform/audit/origin.ts';
import { networkOf } from '../platform/network.ts';
import { secretDigest } from '../platform/secret.ts';

const {
  passwordsPerMinute,
  passwordsOfNetworkPerMinute,
  codesPerMinute,
  recordedFailuresPerMinute,
} = operatorLimits;

/** Why an attempt to sign in failed. */
export type SignInFailure =
  | 'password'
  | 'no_password'
  | 'code'
  | 'passkey'
  | 'provider'
  | 'disabled'
  | 'changed'
  | 'throttled';

/** How to take a counted try back, or the refusal because there were too many. */
export type CountedTry = (() => Promise<void>) | Refusal<'rate_limited'>;

/** Counts tries. */
export interface Throttle {
  /** A password for an account, from the network of the caller: others cannot lock the account. */
  password(email: string): Promise<CountedTry>;
  /** A password for any account, from a network from which the account is not known to sign in. */
  strangePassword(): Promise<CountedTry>;
  /** A code or password for an account, by a caller who has its password or session. */
  confirmation(staffId: string): Promise<CountedTry>;
  /**
   * Whether a failed try for an account is recorded. Of tries that were refused here, one a minute is. Whether
   * the account exists makes no difference, so that the time of an answer does not tell.
   */
  recordsFailure(account: string, reason: SignInFailure): Promise<boolean>;
}

/** The network of the caller, for limits. */
export const network = (): string => networkOf(currentOrigin()?.address ?? '');

/** The limits of signing in. Spec: OPERATOR-10. */
export function createThrottle(makeBuckets: MakeBuckets): Throttle {
  const buckets = makeBuckets('sign-in');
  async function take(name: string, perMinute: number): Promise<CountedTry> {
    const refusal = rateRefusal(await buckets.take(name, perMinute));
    if (refusal) return refusal;
    return async () => void (await buckets.giveBack(name, perMinute));
  }
  const isFree = async (name: string, perMinute: number): Promise<boolean> =>
    (await buckets.take(name, perMinute)) === 0;
  const tried = (account: string): string =>
    `${secretDigest(account).toString('base64url')} ${network()}`;
  return {
    password: (email) => take(`password ${tried(email)}`, passwordsPerMinute),
    strangePassword: () => take(`passwords ${network()}`, passwordsOfNetworkPerMinute),
    confirmation: (staffId) => take(`confirmation ${staffId}`, codesPerMinute),
    async recordsFailure(account, reason) {
      const { address, all } = recordedFailuresPerMinute;
      if (reason === 'throttled' && !(await isFree(`throttled ${tried(account)}`, 1))) return false;
      return (await isFree(`recorded ${network()}`, address)) && isFree('recorded', all);
    },
  };
}
