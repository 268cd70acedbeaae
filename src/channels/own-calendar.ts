/** The calendar of a home for other channels, at a secret address. */

import { randomBytes } from 'node:crypto';
import type { Executor } from '../platform/postgres/database.ts';
import type { Vault, VaultKey } from '../platform/vault.ts';
import { inSlices } from '../platform/slices.ts';
import { ownDomain } from './icalendar/own-events.ts';
import {
  type AddressOfHome,
  batchesOfAddresses,
  insertAddress,
  readAddress,
  removeAddresses,
  replaceAddress,
  type StoredAddress,
} from './store/addresses.ts';
import { findHomeByAddress, readExportedNights, recordExport } from './store/exports.ts';
import { secretDigest } from '../platform/secret.ts';

/** Derives the secret from the stored nonce, so that it is not stored itself. 32 bytes, base64url. */
const secretOf = (key: VaultKey, listingId: string, nonce: Buffer): string =>
  key.mac('calendar', `address ${listingId} ${nonce.toString('hex')}`).toString('base64url');

/** Whether the secret of an address is derived with this master key. */
const isDerivedWith = (
  key: VaultKey,
  listingId: string,
  { nonce, digest }: StoredAddress,
): boolean => secretDigest(secretOf(key, listingId, nonce)).equals(digest);

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
  const address = await readAddress(executor, listingId);
  // An address keeps the key of its day until it is replaced, or that key is retired.
  const key = vault.keys.find((one) => isDerivedWith(one, listingId, address!)) ?? vault;
  return { secret: secretOf(key, listingId, address!.nonce), isNew };
}

const addressesAtOnce = 1_000;

/** The homes whose address another master key than the first has made, by their slugs. */
export async function addressesOfOtherKeys(
  executor: Executor,
): Promise<Pick<AddressOfHome, 'listingId' | 'slug'>[]> {
  const [key] = executor.vault.keys;
  const found: Pick<AddressOfHome, 'listingId' | 'slug'>[] = [];
  for await (const batch of batchesOfAddresses(executor, addressesAtOnce)) {
    for (const address of batch) {
      const { listingId, slug } = address;
      if (!isDerivedWith(key!, listingId, address)) found.push({ listingId, slug });
    }
  }
  return found.toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
}

/** Removes the addresses of homes: nobody can read their calendars there any more. */
export async function removeAddressesOf(
  executor: Executor,
  homes: readonly Pick<AddressOfHome, 'listingId'>[],
): Promise<void> {
  for await (const some of inSlices(homes, addressesAtOnce)) {
    await removeAddresses(
      executor,
      some.map(({ listingId }) => listingId),
    );
  }
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
