import type { MakeBuckets } from '../access/index.ts';
import type { Environment } from '../contract/wire.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { OpenIdProvider } from './provider.ts';
import { createThrottle, type Throttle } from './throttle.ts';

/** The dependencies of signing in. */
export interface SignInContext {
  database: Database;
  environment: Environment;
  /** The service calls nothing outside. */
  isCopy: boolean;
  baseUrl: string;
  throttle: Throttle;
  /** Null: there is none. */
  provider: OpenIdProvider | null;
}

/** Makes the dependencies of signing in. */
export const signInContext = ({
  buckets,
  ...parts
}: Omit<SignInContext, 'throttle'> & { buckets: MakeBuckets }): SignInContext => ({
  ...parts,
  throttle: createThrottle(buckets),
});
