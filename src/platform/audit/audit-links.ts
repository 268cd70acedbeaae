/** Reading links of the audit chain, as many as a reply or a request may have. */
import type { Executor } from '../postgres/database.ts';
import { type AuditLink, hashAt, readAuditLinks } from './audit-chain.ts';

/** Links that follow each other, with the hash before the first: so anybody can verify them. */
export interface AuditBatch {
  before: Buffer;
  links: AuditLink[];
  /** Whether there are more links now. */
  hasMore: boolean;
}

/** How much a batch has at most; one link is always in it. */
export interface BatchSize {
  links: number;
  bytes: number;
}

const readAtOnce = 100;

/** How large a link is. */
export const bytesOf = ({ line, sealed }: AuditLink): number =>
  Buffer.byteLength(line ?? '') + (sealed?.length ?? 0);

/** Reads the links after a position, few at a time, so that long ones are not in memory beyond the bound. */
export async function readAuditBatch(
  executor: Executor,
  after: number,
  atMost: BatchSize,
): Promise<AuditBatch> {
  const links: AuditLink[] = [];
  let bytes = 0;
  const isFull = (next: AuditLink): boolean =>
    links.length > 0 && (links.length >= atMost.links || bytes + bytesOf(next) > atMost.bytes);
  const first = async (): Promise<Buffer> =>
    (await hashAt(executor, (links[0]?.position ?? after + 1) - 1)) ?? Buffer.alloc(32);
  for (;;) {
    const found = await readAuditLinks(executor, links.at(-1)?.position ?? after, readAtOnce);
    for (const link of found) {
      if (isFull(link)) return { before: await first(), links, hasMore: true };
      links.push(link);
      bytes += bytesOf(link);
    }
    if (found.length < readAtOnce) return { before: await first(), links, hasMore: false };
  }
}
