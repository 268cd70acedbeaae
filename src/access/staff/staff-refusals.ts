/** Refusals that many acts of staff return. */
import type { Seen } from '../../api/seen.ts';
import type { Refusal } from '../../contract/errors.ts';
import { moneyText } from '../../contract/money-text.ts';
import { refuseStaff } from '../../contract/operator/errors.ts';

/**
 * Compares the version that staff have seen with the stored one. `name`: what it is the version of. Null: it is that, or
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
        `Somebody has changed ${name} meanwhile. Read it again before you decide.`,
      );

/** Compares an amount that staff have seen, as {@link seenRefusal} does a version. `name`: what it is, as "The total". */
export const amountRefusal = (
  seen: Seen | undefined,
  stored: number,
  name: string,
  currency: string,
): Refusal<'precondition_failed'> | null => {
  if (!seen || seen.isCurrent(stored)) return null;
  const [is, was] = [stored, seen.value!].map((amount) => moneyText(amount, currency));
  const message = `${name} is ${is}; you have seen ${was}. Read it again before you decide.`;
  return refuseStaff('precondition_failed', message);
};

/** The refusal for an unknown application. */
export const noApplication = (applicationId: string): Refusal<'not_found'> =>
  refuseStaff('not_found', `There is no application ${applicationId}.`);
