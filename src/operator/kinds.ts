import { kindsFor } from '../api/kinds.ts';
import type { commonOperatorErrors } from '../contract/operator/errors.ts';
import type { operatorOperations } from '../contract/operator/operations.ts';
import type { OperatorActor } from '../staff/index.ts';
import type { OperatorContext } from './context.ts';

/**
 * The kinds of operation, bound to the operator's table. A handler may also throw an `OperatorRefusal`; its
 * row must declare the code.
 */
export const { act } = kindsFor<
  typeof operatorOperations,
  OperatorContext,
  OperatorActor,
  (typeof commonOperatorErrors)[number] | 'forbidden'
>();
