/** What people have written in an audit entry: it lies beside the entry, sealed, and can be erased. */
import { createHash, randomBytes } from 'node:crypto';
import type { SealedColumn } from '../postgres/sealed-columns.ts';
import type { Vault } from '../vault.ts';

const members = ['reason', 'method'] as const;
const saltBytes = 16;

/** Details with the digest of the texts in their place, and the sealed texts; null: there are none. */
export interface SplitDetails {
  details: Record<string, unknown>;
  sealed: Buffer | null;
}

/** Texts with the salt without which their digest could be guessed. */
interface SaltedTexts {
  salt: string;
  texts: Record<string, string>;
}

/** The digest of sealed texts, in hex. */
export const digestOfTexts = (json: string): string =>
  createHash('sha256').update(json).digest('hex');

const sealContext = (digest: string): string => `audit ${digest}`;

// Reasons of failed sign-ins are words of ours.
const isWrittenByPeople = (action: string): boolean => !/^staff\..*\.fail$/.test(action);

/** Takes what people have written out of the details of an entry. */
export function splitDetails(
  vault: Vault,
  action: string,
  details: Record<string, unknown>,
): SplitDetails {
  if (!isWrittenByPeople(action)) return { details, sealed: null };
  const written = members.filter((name) => typeof details[name] === 'string');
  if (written.length === 0) return { details, sealed: null };
  const texts = Object.fromEntries(written.map((name) => [name, details[name] as string]));
  const salted: SaltedTexts = { salt: randomBytes(saltBytes).toString('base64url'), texts };
  const json = JSON.stringify(salted);
  const digest = digestOfTexts(json);
  const rest = Object.entries(details).filter(
    ([name]) => !(members as readonly string[]).includes(name),
  );
  return {
    details: { ...Object.fromEntries(rest), textDigest: digest },
    sealed: vault.seal('audit', json, sealContext(digest)),
  };
}

/** The sealed JSON of texts, opened. Throws if it cannot be decrypted. */
export const openTexts = (vault: Vault, digest: string, sealed: Buffer): string =>
  vault.open('audit', sealed, sealContext(digest));

/** The details of an entry as people read them. Without their text, the reason is null: it was erased. */
export function joinDetails(
  vault: Vault,
  details: Record<string, unknown>,
  sealed: Buffer | null,
): Record<string, unknown> {
  const { textDigest, ...rest } = details;
  if (typeof textDigest !== 'string') return details;
  if (!sealed) return { reason: null, ...rest };
  const { texts } = JSON.parse(openTexts(vault, textDigest, sealed)) as SaltedTexts;
  return { ...texts, ...rest };
}

/** What people have written in the trail: the owner's function alone writes it. */
export const sealedAuditTexts: readonly SealedColumn[] = [
  {
    table: 'audit_texts',
    column: 'text_sealed',
    purpose: 'audit',
    key: { entry_id: 'bigint' },
    bound: `(SELECT details ->> 'textDigest' FROM audit_entries e WHERE e.entry_id = t.entry_id)`,
    context: (_key, digest) => sealContext(digest ?? ''),
    writer: 'reseal_audit_text',
  },
];
