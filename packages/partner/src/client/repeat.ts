/** Whether a call is made again. Decided by the operation and what was answered, never by a status alone. */
import type { OperationRow } from './operation.ts';

/** What came of an attempt that did not succeed. */
export interface Failed {
  /** The code of the service; `lost`: no response, or one of somebody else. */
  code: string;
  /** The reason in the details. */
  reason?: string | undefined;
  /** Seconds that the service asks to wait. */
  retryAfterSeconds?: number | undefined;
}

/** What to do after a failed attempt. */
export type Next =
  | { do: 'stop' }
  /** With a new token. */
  | { do: 'renew' }
  /** The call had no effect: the same again. */
  | { do: 'repeat' }
  /** It may have had an effect: read the resource, then the same again. */
  | { do: 'read, then repeat' };

const stop = { do: 'stop' } as const;
const renewable: ReadonlySet<string | undefined> = new Set([
  'expired',
  'revoked',
  'signature',
  undefined,
]);

/** Decides what follows a failed attempt. */
export function decideNext(
  { repeat }: Pick<OperationRow, 'repeat'>,
  { code, reason }: Failed,
  isRenewed: boolean,
): Next {
  const again =
    repeat === 'read' ? ({ do: 'repeat' } as const) : ({ do: 'read, then repeat' } as const);
  switch (code) {
    case 'unauthenticated':
      return isRenewed || !renewable.has(reason) ? stop : { do: 'renew' };
    case 'rate_limited':
      return reason === 'reservations_per_day' ? stop : { do: 'repeat' };
    case 'lost':
    case 'unavailable':
    case 'unresolved':
      return again;
    case 'internal':
      return repeat === 'read' ? again : stop;
    default:
      return stop;
  }
}

/**
 * Seconds to wait before attempt `attempt + 1`, counted from 1: what the service asks, but at least a delay that
 * doubles from 0.2 to 20 s and is spread by `random` (0 to 1), so that callers do not come back together.
 */
export function delaySeconds(attempt: number, asked: number | undefined, random: number): number {
  const own = Math.min(20, 0.2 * 2 ** (attempt - 1)) * (0.5 + random / 2);
  return asked === undefined ? own : Math.max(own, asked + random * Math.min(1, asked / 10));
}
