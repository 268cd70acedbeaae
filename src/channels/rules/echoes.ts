/** Which events of a channel are copies of what it has read from us. */

import type { EpochMs } from '../../contract/time.ts';
import type { DayNumber } from '../../pricing/index.ts';

/** Nights that we show other channels: those of a stay, of another channel's event, or of preparation. */
export interface Original {
  from: DayNumber;
  to: DayNumber;
  /** Since when the channel can have read them from us. */
  exportedFrom: EpochMs;
  /** What staff call it: the reference of a stay. Null: another channel's event, or preparation. */
  reference: string | null;
  /** The name that we give its event. Null: the name cannot be recognized. */
  occupancyId: string | null;
}

/** What is known about the reads of a channel. */
export interface ExportReads {
  /** It has everything that was taken before this instant. Null: it was never seen to read. */
  exportedAt: EpochMs | null;
  /** When it has read last. Null: not known. */
  fetchedAt: EpochMs | null;
  /** Of the UIDs that we give, or gave under an earlier master key. */
  ownDomains: readonly string[];
}

/** An event that may be a copy. */
export interface Suspect {
  uid: string;
  from: DayNumber;
  to: DayNumber;
  firstSeenAt: EpochMs;
  /** Whether it was seen before the channel can have read what has its nights: the channel has sold them itself. */
  isSale: boolean;
}

/**
 * `echo`: a copy of these originals. `sale`: it has exactly the nights of others, and cannot be a copy of them.
 * `other`: it has nights of its own.
 */
export type EchoVerdict =
  | { verdict: 'echo'; originals: Original[] }
  | { verdict: 'sale' }
  | { verdict: 'other' };

/** Originals by their first night. */
export type OriginalsByNight = ReadonlyMap<DayNumber, readonly Original[]>;

/** The originals that follow each other without a gap, and together have exactly these nights. Empty: none do. */
function chainOf({ from, to }: Suspect, originals: OriginalsByNight): Original[] {
  const chain: Original[] = [];
  // Days from which no chain leads to the end.
  const dead = new Set<DayNumber>();
  for (let day = from; ;) {
    const here = originals.get(day) ?? [];
    const last = here.find((one) => one.to === to);
    if (last) return [...chain, last];
    const next = here.find((one) => one.to < to && !dead.has(one.to));
    if (next) chain.push(next);
    else dead.add(day);
    const before = next ?? chain.pop();
    if (!before) return [];
    day = next ? next.to : before.from;
  }
}

const isNamedAfter = (
  uid: string,
  { occupancyId }: Original,
  domains: readonly string[],
): boolean => occupancyId !== null && domains.some((domain) => uid === `${occupancyId}@${domain}`);

/**
 * Decides whether an event is a copy of what its channel has read from us.
 *
 * An event that was seen before its original existed is none. Nor is one that was seen before its channel has asked
 * for the original at all: it is a sale of its own, for the same nights, and stays one whatever the channel reads
 * later. Spec: CHANNEL-6.
 */
export function decideEcho(
  suspect: Suspect,
  originals: OriginalsByNight,
  { exportedAt, fetchedAt, ownDomains }: ExportReads,
): EchoVerdict {
  const chain = chainOf(suspect, originals);
  if (chain.length === 0) return { verdict: 'other' };
  if (chain.some((one) => isNamedAfter(suspect.uid, one, ownDomains))) {
    return { verdict: 'echo', originals: chain };
  }
  if (suspect.isSale) return { verdict: 'sale' };
  const since = Math.max(...chain.map(({ exportedFrom }) => exportedFrom));
  if (since > suspect.firstSeenAt) return { verdict: 'sale' };
  if (exportedAt !== null && since < exportedAt) return { verdict: 'echo', originals: chain };
  return fetchedAt !== null && fetchedAt < since ? { verdict: 'sale' } : { verdict: 'other' };
}
