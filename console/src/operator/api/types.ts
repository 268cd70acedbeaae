/** The request and response types of the operator's API, derived from its operation table. */
import type {
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
