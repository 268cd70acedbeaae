import type { Call, CreateCall } from '../api/call.ts';
import { kindsFor } from '../api/kinds.ts';
import type { CommonErrorCode } from '../contract/errors.ts';
import type { OperationId, operations } from '../contract/operations.ts';
import type { Context, PartnerActor } from './context.ts';

/** The kinds of operation, bound to the partners' table. */
export const { read, create, createFirst, command } = kindsFor<
  typeof operations,
  Context,
  PartnerActor,
  CommonErrorCode
>();

/** A partner's call after validation. */
export type CallOf<Id extends OperationId> = Call<
  Id,
  (typeof operations)[Id],
  Context,
  PartnerActor
>;

/** A partner's call that makes a resource. */
export type CreateCallOf<Id extends OperationId> = CreateCall<
  Id,
  (typeof operations)[Id],
  Context,
  PartnerActor
>;
