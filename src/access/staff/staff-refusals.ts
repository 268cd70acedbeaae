/** Refusals that many acts of staff return. */
import type { Seen } from '../../api/seen.ts';
import type { Refusal } from '../../contract/errors.ts';
import { refuseStaff } from '../../contract/operator/errors.ts';

/**
 * Compares what staff have seen with what is stored. `name`: what it is, as "The version of X". Null: it is that, or
 * `seen` is undefined, because staff accept any. Spec: OPERATOR-5.
 */
export const seenRefusal = (
  seen: Seen | undefined,
  stored: number,
  name: string,
): Refusal<'precondition_failed'> | null =>
  !seen || seen.isCurrent(stored)
    ? null
    : refuseStaff(
        'precondition_failed',
        `${name} is ${stored}; you have seen ${seen.value}. Read it again before you decide.`,
      );

/** The refusal for an unknown application. */
export const noApplication = (applicationId: string): Refusal<'not_found'> =>
  refuseStaff('not_found', `There is no application ${applicationId}.`);
