import { uuidOfHex } from '../../platform/uuid.ts';
import type { DayNumber } from '../../pricing/index.ts';

/** A stay or block of a home in a binary copy: the 16 bytes of its ID as a string, its nights, and its lead. */
type OnRow = (home: string, from: DayNumber, to: DayNumber, lead: number) => void;

// PostgreSQL's format: a header, then rows of four fields with a length each, then a trailer.
const headerBytes = 19;
const fields = 4;
const rowBytes = 2 + (4 + 16) + (4 + 4) + (4 + 4) + (4 + 4);
const idAt = 6;
const fromAt = 26;
const toAt = 34;
const leadAt = 42;

/** The key of a listing ID in a binary copy. */
export const copiedKey = (listingId: string): string =>
  Buffer.from(listingId.replaceAll('-', ''), 'hex').toString('latin1');

/** The listing ID of a key. */
export const listingIdOf = (key: string): string =>
  uuidOfHex(Buffer.from(key, 'latin1').toString('hex'));

/** Reads the rows of a binary copy of an ID and three integers. Pass it the pieces in their order. */
export function createCopyReader(onRow: OnRow): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let skip = headerBytes;
  return (bytes) => {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    let at = Math.min(skip, all.length);
    skip -= at;
    while (at + rowBytes <= all.length && all.readInt16BE(at) === fields) {
      onRow(
        all.toString('latin1', at + idAt, at + idAt + 16),
        all.readInt32BE(at + fromAt),
        all.readInt32BE(at + toAt),
        all.readInt32BE(at + leadAt),
      );
      at += rowBytes;
    }
    // A trailer stays here.
    rest = all.subarray(at);
  };
}
