import { refuseConflict } from '../../contract/operator/errors.ts';
import type { OperatorQueryOf } from '../../contract/operator/operations.ts';
import { chainAllAuditEntries, hashAt } from '../../platform/audit/audit-chain.ts';
import { readAuditBatch } from '../../platform/audit/audit-links.ts';
import { openTexts } from '../../platform/audit/audit-texts.ts';
import { verifyAuditTrail } from '../../platform/audit/verify-chain.ts';
import { remainingMs } from '../../platform/postgres/deadline.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { listAuditTrail } from './audit-trail.ts';
import { accessActs } from './acts.ts';

const linksAtOnce = 1_000;
const exportedBytes = 8 * 1024 * 1024;

// What PostgreSQL and this process verify within a fraction of the time of a call.
const verifiedPerCall = { links: 20_000, bytes: 16 * 1024 * 1024 };
const all = { links: Infinity, bytes: Infinity };

/** A call verifies as much as its time allows; a command has no deadline, and goes on to the end. */
const verifiedAtOnce = () => (remainingMs() === Infinity ? all : verifiedPerCall);

async function verified(
  database: Database,
  { after = 0, links, expectedPosition, expectedHash }: OperatorQueryOf<'operator.audit.verify'>,
) {
  const atMost = verifiedAtOnce();
  const part = { after, atMost: { ...atMost, links: Math.min(links ?? Infinity, atMost.links) } };
  const chain = await verifyAuditTrail(database, part);
  if ('problem' in chain) {
    const { position, entryId, problem } = chain;
    const entry = entryId === null ? '' : ` (entry ${entryId})`;
    return refuseConflict(`The audit trail is broken at link ${position}${entry}: ${problem}.`);
  }
  if (expectedPosition !== undefined && expectedHash !== undefined) {
    const found = await hashAt(database, expectedPosition);
    if (found?.toString('hex') !== expectedHash) {
      return refuseConflict(
        `The audit trail is broken: link ${expectedPosition} is missing or another one than then.`,
      );
    }
  }
  const { entries, erased, position, hash, anchorPosition, hasMore } = chain;
  return {
    entries,
    erased,
    position,
    hash: hash.toString('hex'),
    removedUntil: anchorPosition,
    hasMore,
  };
}

const textOf = ({ vault }: Executor, line: string, sealed: Buffer | null): string | null => {
  const { details } = JSON.parse(line) as { details: { textDigest?: string } };
  return sealed && openTexts(vault, details.textDigest!, sealed);
};

async function exported(
  database: Database,
  { after = 0, links: limit = linksAtOnce }: OperatorQueryOf<'operator.audit.export'>,
) {
  await chainAllAuditEntries(database);
  const { before, links, hasMore } = await readAuditBatch(database, after, {
    links: limit,
    bytes: exportedBytes,
  });
  return {
    before: before.toString('hex'),
    items: links.map(({ position, hash, line, sealed }) => ({
      position,
      hash: hash.toString('hex'),
      // A missing entry is a broken chain: the hash shows it.
      line: line ?? '',
      text: line === null ? null : textOf(database, line, sealed),
    })),
    last: links.at(-1)?.position ?? after,
    hasMore,
  };
}

/** What staff read of the audit trail. */
export const auditActs = accessActs({
  'operator.audit.list': ({ context, query: { limit, cursor, ...filter } }) =>
    context.reads.run((from) => listAuditTrail(from, filter, { limit, cursor })),
  'operator.audit.verify': ({ context, query }) => verified(context.database, query),
  'operator.audit.export': ({ context, query }) => exported(context.database, query),
});
