import type { Actor, Call, CreateCall } from '../api/call.ts';
import { kindsFor } from '../api/kinds.ts';
import type { CommonErrorCode } from '../contract/errors.ts';
import type { OperationId, operations } from '../contract/partner/operations.ts';
import type { Application } from './store/applications.ts';

/** A calling partner application. */
export interface PartnerActor extends Actor {
  applicationId: string;
  application: Application;
  /** The token of the call. Null: a session of the portal made it. */
  tokenId: string | null;
}

/** The kinds of operation, bound to the partners' table. `Context`: the dependencies of a subject's operations. */
export const partnerKinds = <Context>() =>
  kindsFor<typeof operations, Context, PartnerActor, CommonErrorCode>();

/** A partner's call after validation. */
export type PartnerCall<Id extends OperationId, Context> = Call<
  Id,
  (typeof operations)[Id],
  Context,
  PartnerActor
>;

/** A partner's call that creates a resource. */
export type PartnerCreateCall<Id extends OperationId, Context> = CreateCall<
  Id,
  (typeof operations)[Id],
  Context,
  PartnerActor
>;
