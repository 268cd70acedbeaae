/** Verifies the chain of the audit trail, from its anchor to its last link. */
import { createHash } from 'node:crypto';
import type { Executor } from '../postgres/database.ts';
import type { Vault } from '../vault.ts';
import {
  chainAllAuditEntries,
  readAuditHead,
  readAuditLinks,
  type AuditLink,
} from './audit-chain.ts';
import { digestOfTexts, openTexts } from './audit-texts.ts';

/** Where the chain is broken. */
export interface BrokenChain {
  position: number;
  entryId: number | null;
  problem: string;
}

/** The hash of a link: of the hash before it, and the line of its entry. */
const linkHash = (before: Buffer, line: string): Buffer =>
  createHash('sha256').update(before).update(line).digest();

function textProblem(vault: Vault, { line, sealed, isErased }: AuditLink): string | null {
  const { details } = JSON.parse(line!) as { details: { textDigest?: unknown } };
  const { textDigest } = details;
  if (typeof textDigest !== 'string') return null;
  if (!sealed) return isErased ? null : 'its text is missing, and was not erased';
  try {
    const isSame = digestOfTexts(openTexts(vault, textDigest, sealed)) === textDigest;
    return isSame ? null : 'its text is another one';
  } catch {
    return 'its text cannot be decrypted';
  }
}

function problemOf(vault: Vault, before: Buffer, expected: number, link: AuditLink): string | null {
  if (link.position !== expected) return `the links before it are missing, from ${expected} on`;
  if (link.line === null) return 'its entry is missing';
  if (!linkHash(before, link.line).equals(link.hash)) return 'it is not what was entered';
  return textProblem(vault, link);
}

const atOnce = 1_000;

/** A chain that is whole. */
export interface WholeChain {
  entries: number;
  /** The text of so many entries was erased with a guest. */
  erased: number;
  position: number;
  hash: Buffer;
  anchorPosition: number;
}

async function verifyLinks(
  executor: Executor,
  from: { position: number; hash: Buffer },
): Promise<BrokenChain | { erased: number; position: number; hash: Buffer }> {
  let { position, hash } = from;
  let erased = 0;
  for (;;) {
    const links = await readAuditLinks(executor, position, atOnce);
    for (const link of links) {
      const problem = problemOf(executor.vault, hash, position + 1, link);
      if (problem) return { position: link.position, entryId: link.entryId, problem };
      ({ position, hash } = link);
      if (link.isErased) erased += 1;
    }
    if (links.length < atOnce) return { erased, position, hash };
  }
}

/** Appends what is committed, then verifies every link, every entry and every text. Spec: OPERATOR-12. */
export async function verifyAuditTrail(executor: Executor): Promise<BrokenChain | WholeChain> {
  await chainAllAuditEntries(executor);
  const head = await readAuditHead(executor);
  const { anchorPosition, entries, links, waiting } = head;
  const end = await verifyLinks(executor, { position: anchorPosition, hash: head.anchorHash });
  if ('problem' in end) return end;
  const { position, hash } = end;
  const isShort =
    position < head.position || (position === head.position && !hash.equals(head.hash));
  if (isShort) {
    return { position, entryId: null, problem: `the links after it are missing or others` };
  }
  if (entries > links + waiting) {
    return {
      position,
      entryId: null,
      problem: `${entries - links - waiting} entries are in no link`,
    };
  }
  return { entries, erased: end.erased, position, hash, anchorPosition };
}
