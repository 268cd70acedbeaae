/** The request and response types of the operator's API, derived from its operation table. */
import type {
  OperatorBodyOf,
  OperatorOperationId,
  OperatorQueryOf,
  OperatorReplyOf,
} from '../../../../src/contract/operator/operations.ts';

type BodyOf<Id extends OperatorOperationId> = OperatorReplyOf<Id>['body'];

/** The filters of a list as strings; the service validates them. */
type FilterOf<Id extends OperatorOperationId> = {
  [Name in Exclude<keyof OperatorQueryOf<Id>, 'limit'>]?: string | undefined;
};

export type AuditPage = BodyOf<'operator.audit.list'>;
export type AuditFilter = FilterOf<'operator.audit.list'>;

export type SignIn = OperatorBodyOf<'operator.session.begin'>;
export type Session = BodyOf<'operator.session.get'>;
export type SessionList = BodyOf<'operator.session.list'>;
export type Confirmation = OperatorBodyOf<'operator.session.stepUp'>;
export type AcceptedInvitation = BodyOf<'operator.invitation.accept'>;
export type NewFactor = BodyOf<'operator.account.beginSecondFactor'>;
