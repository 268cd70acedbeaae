import { refuseStaff } from '../../contract/operator/errors.ts';
import { chainAllAuditEntries, hashAt } from '../../platform/audit/audit-chain.ts';
import { readAuditBatch } from '../../platform/audit/audit-links.ts';
import { openTexts } from '../../platform/audit/audit-texts.ts';
import { verifyAuditTrail } from '../../platform/audit/verify-chain.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { listAuditTrail } from '../administration/audit-trail.ts';
import { accessActs } from './acts.ts';

const linksAtOnce = 1_000;
const exportedBytes = 8 * 1024 * 1024;

async function verified(
  database: Database,
  { expectedPosition, expectedHash }: { expectedPosition?: number; expectedHash?: string },
) {
  const chain = await verifyAuditTrail(database);
  if ('problem' in chain) {
    const { position, entryId, problem } = chain;
    const entry = entryId === null ? '' : ` (entry ${entryId})`;
    return refuseStaff(
      'conflict',
      `The audit trail is broken at link ${position}${entry}: ${problem}.`,
    );
  }
  if (expectedPosition !== undefined && expectedHash !== undefined) {
    const found = await hashAt(database, expectedPosition);
    if (found?.toString('hex') !== expectedHash) {
      return refuseStaff(
        'conflict',
        `The audit trail is broken: link ${expectedPosition} is missing or another one than then.`,
      );
    }
  }
  const { entries, erased, position, hash, anchorPosition } = chain;
  return { entries, erased, position, hash: hash.toString('hex'), removedUntil: anchorPosition };
}

const textOf = ({ vault }: Executor, line: string, sealed: Buffer | null): string | null => {
  const { details } = JSON.parse(line) as { details: { textDigest?: string } };
  return sealed && openTexts(vault, details.textDigest!, sealed);
};

async function exported(
  database: Database,
  {
    after = 0,
    links: limit = linksAtOnce,
  }: { after?: number | undefined; links?: number | undefined },
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
