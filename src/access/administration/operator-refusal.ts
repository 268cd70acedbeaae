import type { Seen } from '../../api/seen.ts';
import {
  type InvalidField,
  messageOf,
  refuse,
  type Refusal,
  RefusalError,
} from '../../contract/errors.ts';
import type { OperatorErrorCode } from '../../contract/operator/errors.ts';

interface RefusalOptions {
  code?: OperatorErrorCode;
  details?: object | undefined;
  cause?: unknown;
}

/** A command of staff was refused. The message tells staff why; the operator's API returns it under `code`. */
export class OperatorRefusal extends RefusalError {
  override readonly name = 'OperatorRefusal';

  constructor(message: string, { code = 'conflict', details, cause }: RefusalOptions = {}) {
    super({ refused: code, message, ...(details && { details }) });
    this.message = message;
    if (cause !== undefined) this.cause = cause;
  }

  /** Throws a refusal that was returned, in a place that cannot return it. */
  static of(refusal: Refusal): OperatorRefusal {
    const { refused, details } = refusal;
    return new OperatorRefusal(messageOf(refusal), { code: refused as OperatorErrorCode, details });
  }
}

/** The refusal of members of a request. */
export const invalidInput = (...fields: InvalidField[]): RefusalError =>
  new RefusalError(refuse('invalid_input', { fields }));

/** The refusal of one member of a request. `message` says to staff on the command line what is wrong. */
export const invalidMember = (field: InvalidField, message: string): OperatorRefusal =>
  new OperatorRefusal(message, { code: 'invalid_input', details: { fields: [field] } });

/**
 * Compares what staff have seen with what is stored. `name`: what it is, as "The version of X". Throws
 * `OperatorRefusal` if it is another. `seen` undefined: staff accept any. Spec: OPERATOR-5.
 */
export function checkSeen(seen: Seen | undefined, stored: number, name: string): void {
  if (!seen || seen.isCurrent(stored)) return;
  throw new OperatorRefusal(
    `${name} is ${stored}; you have seen ${seen.value}. Read it again before you decide.`,
    { code: 'precondition_failed' },
  );
}

/** The refusal for something that does not exist. */
export const noSuch = (message: string): OperatorRefusal =>
  new OperatorRefusal(message, { code: 'not_found' });

/** The refusal for an unknown application. */
export const unknownApplication = (applicationId: string): OperatorRefusal =>
  noSuch(`There is no application ${applicationId}.`);
