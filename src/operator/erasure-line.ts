/** The lines of the file `erasures`: JSON, one erasure each, without anything that names the person. */
import { isUuid } from '../platform/uuid.ts';

/** An erasure: of an email address, by its keyed digest, or of one booking. */
export interface ErasureLine {
  at: string;
  email: Buffer | null;
  booking: { applicationId: string; bookingId: string; kind: 'checkout' | 'request' } | null;
}

/** The line of an erasure. */
export const erasureLine = ({ at, email, booking }: ErasureLine): string =>
  JSON.stringify({ at, ...(email && { email: email.toString('hex') }), ...booking });

const isKind = (kind: unknown): kind is 'checkout' | 'request' =>
  kind === 'checkout' || kind === 'request';

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** Reads a line. Null: it is not one of ours, such as the end of a line that a crash has cut. */
export function readErasureLine(text: string): ErasureLine | null {
  const { at, email, applicationId, bookingId, kind } = parsed(text) ?? {};
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) return null;
  if (typeof email === 'string' && /^[0-9a-f]{64}$/.test(email)) {
    return { at, email: Buffer.from(email, 'hex'), booking: null };
  }
  if (typeof applicationId !== 'string' || typeof bookingId !== 'string') return null;
  if (!isUuid(applicationId) || !isUuid(bookingId) || !isKind(kind)) return null;
  return { at, email: null, booking: { applicationId, bookingId, kind } };
}
