import { OperatorRefusal } from '../../access/index.ts';
import type { Reservation } from '../rules/booking.ts';

/** Throws `OperatorRefusal` if a reservation has another version than the expected one. Undefined: any is accepted. */
export function checkVersion(
  { reference, version }: Pick<Reservation, 'reference' | 'version'>,
  expected: number | undefined,
): void {
  if (expected === undefined || expected === version) return;
  throw new OperatorRefusal(
    `${reference} has changed since you saw version ${expected}: it is at version ${version}. Read it again before you decide.`,
    { code: 'precondition_failed' },
  );
}
