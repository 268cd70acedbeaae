import type { ErrorCode } from '../errors.ts';
import { changesSomething } from '../rows.ts';
import { pascalCase } from '../openapi/names.ts';
import type { Refused } from '../openapi/document-style.ts';
import { commonOwnErrors } from '../own-errors.ts';
import type { OperatorErrorCode } from './errors.ts';
import type { OperatorRow } from './row.ts';

/** Why a call of an operation can be forbidden. */
function forbiddenReasons(row: OperatorRow): string[] {
  return [
    ...(row.scope ? ['role', 'scope', 'second_factor'] : []),
    ...(row.membersOnly ? ['members_only'] : []),
    ...(changesSomething(row) ? ['cross_site'] : []),
    ...(row.stepUp || row.lasting ? ['step_up'] : []),
    ...(row.reasons?.forbidden ?? []),
  ];
}

const unauthenticatedReasons = (row: OperatorRow): string[] => [
  ...(row.public ? [] : ['credentials']),
  ...(row.reasons?.unauthenticated ?? []),
];

function reasonsIn(code: OperatorErrorCode, row: OperatorRow): string[] {
  if (code === 'forbidden') return forbiddenReasons(row);
  return code === 'unauthenticated' ? unauthenticatedReasons(row) : [];
}

/** The codes that an operation can return beside its own. */
function sharedCodes(row: OperatorRow): OperatorErrorCode[] {
  const canAuthenticate = unauthenticatedReasons(row).length > 0;
  const common = commonOwnErrors.filter((code) => code !== 'unauthenticated' || canAuthenticate);
  return forbiddenReasons(row).length > 0 ? [...common, 'forbidden'] : common;
}

/** Every error code of an operation of the operator's API. */
export const operatorRefusals = (row: OperatorRow): Refused[] =>
  [...sharedCodes(row), ...row.errors].map((code) => ({ code, reasons: reasonsIn(code, row) }));

const isUsual = (code: ErrorCode, reasons: readonly string[]): boolean =>
  code === 'unauthenticated' && reasons.join() === 'credentials';

/** The component name of an error response. */
export function sharedOperatorName(refused: readonly Refused[]): string {
  return refused
    .map(({ code, reasons }) =>
      pascalCase(
        reasons.length > 0 && !isUsual(code, reasons) ? [code, ...reasons].join('_') : code,
      ),
    )
    .join('Or');
}
