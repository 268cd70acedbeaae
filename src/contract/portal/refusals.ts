import { pascalCase } from '../openapi/names.ts';
import type { Causes, Refused } from '../openapi/document-style.ts';
import { commonOwnErrors } from '../own-errors.ts';
import { changesSomething } from '../rows.ts';
import type { PortalErrorCode } from './errors.ts';
import type { PortalRow } from './operations.ts';

const ownReasons = (row: PortalRow): Causes => row.reasons ?? {};

/** The reasons of a code in one operation. */
function reasonsIn(code: PortalErrorCode, row: PortalRow): readonly string[] {
  if (code === 'forbidden') return ['cross_site'];
  if (code === 'unauthenticated' && !row.public) return ['session'];
  return ownReasons(row)[code] ?? [];
}

/** Every error code of an operation of the portal. Each status has one code. */
export function portalRefusals(row: PortalRow): Refused[] {
  const codes: PortalErrorCode[] = [
    ...commonOwnErrors,
    ...(changesSomething(row) ? (['forbidden'] as const) : []),
    ...row.errors,
  ];
  return codes.map((code) => ({ code, reasons: reasonsIn(code, row) }));
}

/** The component name of an error response; null if it belongs to one operation. */
export function sharedPortalName(refused: readonly Refused[], row: PortalRow): string | null {
  const isOwn = refused.some(({ code }) => code in ownReasons(row));
  return isOwn ? null : refused.map(({ code }) => pascalCase(code)).join('Or');
}
