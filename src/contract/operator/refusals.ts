import { errors, type ErrorCode } from '../errors.ts';
import { pascalCase } from '../openapi/names.ts';
import type { Refused } from '../openapi/document-style.ts';
import {
  commonOperatorErrors,
  operatorErrors,
  type OperatorErrorCode,
  operatorReasons,
} from './errors.ts';
import type { OperatorRow } from './row.ts';

const textsOf: Partial<Record<ErrorCode, string>> = operatorErrors;
const reasonsOf: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = operatorReasons;

/** The message of a code in the operator's API. */
export const operatorMessage = (code: ErrorCode): string => textsOf[code] ?? errors[code].message;

/** The meaning of a reason in the operator's API. */
export const operatorReasonText = (code: ErrorCode, reason: string): string =>
  reasonsOf[code]?.[reason] ?? reason;

/** Whether an operation changes something. Such a call must not come from the page of another site. */
export const changesSomething = ({ method }: Pick<OperatorRow, 'method'>): boolean =>
  method !== 'GET';

/** Why a call of an operation can be forbidden. */
function forbiddenReasons(row: OperatorRow): string[] {
  return [
    ...(row.scope ? ['role'] : []),
    ...(changesSomething(row) ? ['cross_site'] : []),
    ...(row.stepUp ? ['step_up'] : []),
  ];
}

function reasonsIn(code: OperatorErrorCode, row: OperatorRow): string[] {
  return code === 'forbidden' ? forbiddenReasons(row) : Object.keys(reasonsOf[code] ?? {});
}

/** Every error code of an operation of the operator's API. */
export function operatorRefusals(row: OperatorRow): Refused[] {
  const isForbidden = forbiddenReasons(row).length > 0;
  const codes: OperatorErrorCode[] = [
    ...commonOperatorErrors,
    ...(isForbidden ? (['forbidden'] as const) : []),
    ...row.errors,
  ];
  return codes.map((code) => ({ code, reasons: reasonsIn(code, row) }));
}

/** The component name of an error response. */
export function sharedOperatorName(refused: readonly Refused[]): string {
  return refused
    .map(({ code, reasons }) =>
      pascalCase(code === 'forbidden' ? [code, ...reasons].join('_') : code),
    )
    .join('Or');
}
