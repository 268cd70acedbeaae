/** Verifies the chain of the audit trail, from its anchor to its last link. */
import { createHash } from 'node:crypto';
import type { Executor } from '../postgres/database.ts';
import type { Vault } from '../vault.ts';
import {
  type AuditHead,
  type AuditLink,
  chainAllAuditEntries,
  readAuditHead,
  readAuditLinks,
} from './audit-chain.ts';
import { type BatchSize, bytesOf } from './audit-links.ts';
import { digestOfTexts, openTexts } from './audit-texts.ts';
import { findUnlinkedEntries } from './unlinked-entries.ts';

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

/** A chain that is whole, as far as it was verified. */
export interface WholeChain {
  entries: number;
  /** The text of so many of the verified entries was erased with a guest. */
  erased: number;
  /** The last link that was verified, and its hash. */
  position: number;
  hash: Buffer;
  anchorPosition: number;
  /** Whether there are links after it. */
  hasMore: boolean;
}

/** How far the chain was verified. */
interface Verified {
  position: number;
  hash: Buffer;
  /** All entries until this one are in a link, or wait for it. */
  entryId: number;
  links: number;
  bytes: number;
  erased: number;
}

const nothing = { entryId: 0, links: 0, bytes: 0, erased: 0 };

/** Begins after a link that was verified before; without one, after the anchor. */
async function beginAfter(
  executor: Executor,
  after: number,
  { anchorPosition, anchorHash }: AuditHead,
): Promise<BrokenChain | Verified> {
  if (after <= anchorPosition) return { ...nothing, position: anchorPosition, hash: anchorHash };
  const [link] = await readAuditLinks(executor, after - 1, 1);
  if (link?.position !== after) {
    return { position: after, entryId: null, problem: 'it is missing' };
  }
  return { ...nothing, position: after, hash: link.hash, entryId: link.entryId };
}

function verifyLink(vault: Vault, before: Verified, link: AuditLink): BrokenChain | Verified {
  const { position, entryId, hash } = link;
  const problem = problemOf(vault, before.hash, before.position + 1, link);
  if (problem) return { position, entryId, problem };
  return {
    position,
    hash,
    // Links have the order of commits, so a number can be smaller than the one before.
    entryId: Math.max(before.entryId, entryId),
    links: before.links + 1,
    bytes: before.bytes + bytesOf(link),
    erased: before.erased + Number(link.isErased),
  };
}

/** Looks for entries that were added outside of the chain. */
async function verifyEntries(
  executor: Executor,
  after: number,
  until: number,
  position: number,
): Promise<BrokenChain | null> {
  const found = await findUnlinkedEntries(executor, after, until);
  if (!found) return null;
  const { entryId, unlinked } = found;
  return { position, entryId, problem: `${unlinked} entries are in no link` };
}

/** Verifies the next slice: its links, and the entries until its last one. */
async function verifySlice(
  executor: Executor,
  before: Verified,
  wanted: number,
): Promise<BrokenChain | Verified> {
  let end = before;
  const links = await readAuditLinks(executor, before.position, wanted);
  for (const link of links) {
    const next = verifyLink(executor.vault, end, link);
    if ('problem' in next) return next;
    end = next;
  }
  if (links.length < wanted) {
    const { position } = end;
    return { position, entryId: null, problem: 'the links after it are missing or others' };
  }
  return (await verifyEntries(executor, before.entryId, end.entryId, end.position)) ?? end;
}

async function verifyEnd(
  executor: Executor,
  head: AuditHead,
  { position, hash, entryId }: Verified,
): Promise<BrokenChain | null> {
  if (!hash.equals(head.hash)) {
    return { position, entryId: null, problem: 'the links after it are missing or others' };
  }
  return verifyEntries(executor, entryId, Number.MAX_SAFE_INTEGER, position);
}

/** How much of the trail is verified. */
export interface AuditPart {
  /** A link that was verified before. */
  after: number;
  atMost: BatchSize;
}

const wholeTrail: AuditPart = { after: 0, atMost: { links: Infinity, bytes: Infinity } };

/**
 * Appends what is committed, then verifies every link, every entry and every text, slice by slice until the last link of
 * now, or as many as asked for. Spec: OPERATOR-12.
 */
export async function verifyAuditTrail(
  executor: Executor,
  { after, atMost }: AuditPart = wholeTrail,
): Promise<BrokenChain | WholeChain> {
  await chainAllAuditEntries(executor);
  const head = await readAuditHead(executor);
  const isFull = ({ links, bytes }: Verified) => links >= atMost.links || bytes >= atMost.bytes;
  let end = await beginAfter(executor, after, head);
  while (!('problem' in end) && end.position < head.position && !isFull(end)) {
    const open = Math.min(head.position - end.position, atMost.links - end.links);
    end = await verifySlice(executor, end, Math.min(atOnce, open));
  }
  if ('problem' in end) return end;
  const hasMore = end.position < head.position;
  const broken = hasMore ? null : await verifyEnd(executor, head, end);
  if (broken) return broken;
  const { erased, position, hash } = end;
  const { anchorPosition } = head;
  const entries = head.position - anchorPosition + head.waiting;
  return { entries, erased, position, hash, anchorPosition, hasMore };
}
