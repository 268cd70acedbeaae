import { errors, type ErrorCode } from '../errors.ts';
import { pascalCase } from '../openapi/names.ts';
import type { Refused } from '../openapi/document-style.ts';
import { commonPortalErrors, portalErrors, portalReasons, type PortalErrorCode } from './errors.ts';
import { changesSomething, type PortalRow } from './operations.ts';

const textsOf: Partial<Record<ErrorCode, string>> = portalErrors;
const reasonsOf: Partial<Record<ErrorCode, Readonly<Record<string, string>>>> = portalReasons;

/** What a code means in the portal, and the message of its envelope. */
export const portalMessage = (code: ErrorCode): string => textsOf[code] ?? errors[code].message;

/** What a reason means in the portal. */
export const portalReasonText = (code: ErrorCode, reason: string): string =>
  reasonsOf[code]?.[reason] ?? reason;

/** The reasons that an operation gives for a code. */
function reasonsIn(code: PortalErrorCode, row: PortalRow): string[] {
  const all = Object.keys(reasonsOf[code] ?? {});
  if (code !== 'unauthenticated') return all;
  const wanted = row.public ? 'link' : 'session';
  return all.filter((reason) => reason === wanted);
}

/** Every code that an operation of the portal can answer. Each status stands for one code. */
export function portalRefusals(row: PortalRow): Refused[] {
  const codes: PortalErrorCode[] = [
    ...commonPortalErrors,
    ...(changesSomething(row) ? (['forbidden'] as const) : []),
    ...row.errors,
  ];
  return codes.map((code) => ({ code, reasons: reasonsIn(code, row) }));
}

/** The name under which an error answer is shared; that of the link belongs to one operation. */
export function sharedPortalName(refused: readonly Refused[], row: PortalRow): string | null {
  const isOfLink = row.public && refused.some(({ code }) => code === 'unauthenticated');
  return isOfLink ? null : refused.map(({ code }) => pascalCase(code)).join('Or');
}
