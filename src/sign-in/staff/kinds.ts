import { kindsFor } from '../../api/kinds.ts';
import { type ActWith, staffActs } from '../../api/staff-acts.ts';
import type { operatorOperations } from '../../contract/operator/operations.ts';
import type { CommonOwnErrorCode } from '../../contract/own-errors.ts';
import type { Environment } from '../../contract/wire.ts';
import type { MemberActor, OperatorActor } from '../actor.ts';
import type { SignInContext } from '../context.ts';

/** The dependencies of signing in, and of what members do with their own account. */
interface OwnAccountContext {
  environment: Environment;
  baseUrl: string;
  signIn: SignInContext;
}

type Table = typeof operatorOperations;
type CommonCode = CommonOwnErrorCode | 'forbidden';

type IdsOfMembers = ActWith<{ membersOnly: true }>;

/** The operations that sign in, and set the cookie. */
export const { enter } = kindsFor<Table, OwnAccountContext, OperatorActor, CommonCode>();

/** The operations on the caller's own session that change the cookie. */
export const { act: actAsMember } = kindsFor<
  Pick<Table, IdsOfMembers>,
  OwnAccountContext,
  MemberActor,
  CommonCode
>();

/** Binds rows that are called without a session. */
export const actsToEnter = staffActs<OwnAccountContext, null, ActWith<{ public: true }>>();

/** Binds rows that only a session can call, so that their actor has one. */
export const actsOfMember = staffActs<OwnAccountContext, MemberActor, IdsOfMembers>();
