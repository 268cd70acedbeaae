import { kindsFor } from '../api/kinds.ts';
import type { PartnerActor, SigningKeys } from '../access/index.ts';
import type { BookingContext } from '../bookings/index.ts';
import type { CommonErrorCode } from '../contract/errors.ts';
import type { sandboxOperations } from '../contract/sandbox/operations.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { Reads } from '../platform/postgres/replica.ts';

/** The dependencies of the sandbox. */
export interface SandboxContext extends BookingContext {
  database: Database;
  reads: Reads;
  /** Waits until every process plays what was just ordered for an application. */
  takeEffect(applicationId: string): Promise<void>;
  /** Looks for ordered deliveries that are due. */
  wakeDeliveries(): void;
  /** `sha256:` and the digest of the contract document. */
  contractDigest: string;
  keys: SigningKeys;
  baseUrl: string;
}

/** The kinds of operation of the sandbox. */
export const { read } = kindsFor<
  typeof sandboxOperations,
  SandboxContext,
  PartnerActor,
  CommonErrorCode
>();
