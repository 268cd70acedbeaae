/** The calendar of a home for other channels, at a secret address. */

import { randomBytes } from 'node:crypto';
import type { Executor } from '../platform/postgres/database.ts';
import type { Vault } from '../platform/vault.ts';
import { ownDomain } from './icalendar/own-events.ts';
import { insertAddress, readNonce, replaceAddress, type StoredAddress } from './store/addresses.ts';
import { findHomeByAddress, readExportedNights, recordExport } from './store/exports.ts';
import { secretDigest } from '../platform/secret.ts';

/** Derives the secret from the stored nonce, so that it is not stored itself. 32 bytes, base64url. */
const secretOf = (vault: Vault, listingId: string, nonce: Buffer): string =>
  vault.mac('calendar', `address ${listingId} ${nonce.toString('hex')}`).toString('base64url');

function newAddress(vault: Vault, listingId: string): StoredAddress {
  const nonce = randomBytes(16);
  return { nonce, digest: secretDigest(secretOf(vault, listingId, nonce)) };
}

/** Returns the secret of a home's calendar, and whether it is new. */
export async function secretFor(
  executor: Executor,
  listingId: string,
): Promise<{ secret: string; isNew: boolean }> {
  const { vault } = executor;
  const isNew = await insertAddress(executor, listingId, newAddress(vault, listingId));
  const nonce = await readNonce(executor, listingId);
  return { secret: secretOf(vault, listingId, nonce!), isNew };
}

/** Gives a home's calendar another secret; the previous one stops working. */
export async function rotateSecret(executor: Executor, listingId: string): Promise<string> {
  const address = newAddress(executor.vault, listingId);
  await replaceAddress(executor, listingId, address);
  return secretOf(executor.vault, listingId, address.nonce);
}

/** The calendar of a home, as a channel reads it. */
export interface ExportedCalendar {
  content: string;
  /** Call when the channel gets it, or learns that it has not changed. */
  wasRead(): Promise<void>;
}

/**
 * Writes the calendar with this secret. Undefined: there is none. Spec: CHANNEL-13.
 *
 * @param reader the calendar of the channel that reads it, which does not get back its own events; null: none. If
 *   it was removed, there is nothing to read: its channel may have another one, whose events it would get back.
 */
export async function exportCalendar(
  executor: Executor,
  secret: string,
  reader: string | null,
): Promise<ExportedCalendar | undefined> {
  const { vault } = executor;
  const home = await findHomeByAddress(executor, secretDigest(secret), reader);
  if (!home) return undefined;
  const { listingId, completeTo } = home;
  const nights = await readExportedNights(executor, listingId, reader);
  // Loads the library with the first calendar.
  const { writeCalendar } = await import('./icalendar/write-calendar.ts');
  const content = writeCalendar(home, nights, ownDomain(vault), ({ from, to }) =>
    vault.mac('calendar', `nights ${listingId} ${from} ${to}`).toString('hex').slice(0, 32),
  );
  return {
    content,
    async wasRead() {
      if (reader !== null) await recordExport(executor, reader, completeTo);
    },
  };
}
