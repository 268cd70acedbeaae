import type { Operation } from '../api/operation.ts';
import type { OperatorOperationId } from '../contract/operator/operations.ts';
import type { OperatorContext } from './context.ts';
import { listAudit } from './operations/audit.ts';

export type { OperatorContext } from './context.ts';

/** The operation of each row of the operator's table. A missing one does not compile. */
export const operatorOperations: {
  readonly [Id in OperatorOperationId]: Operation<Id, OperatorContext>;
} = {
  'operator.audit.list': listAudit,
};
