import type { ErrorCode } from '../errors.ts';
import { pascalCase } from '../openapi/names.ts';
import type { Refused } from '../openapi/document-style.ts';
import { commonPortalErrors, portalReasons, type PortalErrorCode } from './errors.ts';
import { changesSomething } from '../rows.ts';
import type { PortalRow } from './operations.ts';

type ReasonTexts = Partial<Record<ErrorCode, Readonly<Record<string, string>>>>;

/** The reasons of a code in one operation. */
function reasonsIn(code: PortalErrorCode, row: PortalRow): string[] {
  const all = Object.keys((portalReasons as ReasonTexts)[code] ?? {});
  if (code === 'forbidden') return all;
  const wanted: readonly string[] =
    code === 'unauthenticated' ? [row.public ? 'link' : 'session'] : (row.reasons ?? []);
  return all.filter((reason) => wanted.includes(reason));
}

/** Every error code of an operation of the portal. Each status has one code. */
export function portalRefusals(row: PortalRow): Refused[] {
  const codes: PortalErrorCode[] = [
    ...commonPortalErrors,
    ...(changesSomething(row) ? (['forbidden'] as const) : []),
    ...row.errors,
  ];
  return codes.map((code) => ({ code, reasons: reasonsIn(code, row) }));
}

/** The component name of an error response; null if it belongs to one operation. */
export function sharedPortalName(refused: readonly Refused[], row: PortalRow): string | null {
  const own: readonly string[] = row.public ? ['link'] : (row.reasons ?? []);
  const isOwn = refused.some(({ reasons }) => reasons.some((reason) => own.includes(reason)));
  return isOwn ? null : refused.map(({ code }) => pascalCase(code)).join('Or');
}
