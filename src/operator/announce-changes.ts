import { after } from '../api/maybe-promise.ts';
import type { Operation } from '../api/operation.ts';
import {
  operatorOperations as rows,
  type OperatorOperationId,
} from '../contract/operator/operations.ts';
import { changesSomething } from '../contract/rows.ts';
import type { OperatorContext } from './context.ts';

type Operations = Readonly<
  Record<OperatorOperationId, Operation<OperatorOperationId, OperatorContext>>
>;

/** Announces what a call has changed: the next search of this process reads changes of nights first. */
function announcing(
  operation: Operation<OperatorOperationId, OperatorContext>,
  { availability }: OperatorContext,
): Operation<OperatorOperationId, OperatorContext> {
  if (!changesSomething(rows[operation.id])) return operation;
  const { handler } = operation;
  return {
    ...operation,
    handler: {
      ...handler,
      reply: (call, result) =>
        after(handler.reply(call, result), (response) => {
          availability.changed();
          return response;
        }),
    },
  };
}

/** The operations, so that each one that changes something announces it. */
export const announceChanges = (operations: Operations, context: OperatorContext): Operations =>
  Object.fromEntries(
    Object.entries(operations).map(([id, operation]) => [id, announcing(operation, context)]),
  ) as Operations;
