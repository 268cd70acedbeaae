/** Posts the audit trail to a system of the operator's, which nobody here can change. */
import type { Log } from '../log.ts';
import { createHash } from 'node:crypto';
import type { Environment } from '../../contract/wire.ts';
import { startLoop } from '../loop.ts';
import type { Executor } from '../postgres/database.ts';
import { createPoster, type PostReceiver } from '../sending/poster.ts';
import { delayAsked, retryInSeconds } from '../sending/retry.ts';
import { type AuditBatch, readAuditBatch } from './audit-links.ts';
import {
  acceptAuditLinks,
  type AuditClaim,
  claimAuditLinks,
  refuseAuditLinks,
} from './receiver-position.ts';

/** The dependencies of posting the audit trail. */
export interface AuditPostingContext {
  executor: Executor;
  environment: Environment;
  receiver: PostReceiver;
  log: Pick<Log, 'warn'>;
}

const roundMs = 1_000;
// Longer than an attempt and the writing of its result.
const leaseSeconds = 30;
const batchSize = { links: 500, bytes: 1024 * 1024 };
// The third delay is half an hour: one receiver can be asked that often for as long as it fails.
const longestDelay = 3;

/** Texts of people are not sent, so that they can be erased. */
const bodyOf = (environment: Environment, { before, links }: AuditBatch): string =>
  JSON.stringify({
    format: 'latchkey-audit/1',
    environment,
    before: before.toString('hex'),
    items: links.map(({ position, hash, line }) => ({
      position,
      hash: hash.toString('hex'),
      // A missing entry is a broken chain: the hash shows it.
      line: line ?? '',
    })),
  });

function idOf({ links }: AuditBatch): string {
  const { position, hash } = links.at(-1)!;
  return `audit_${links[0]!.position}_${position}_${hash.toString('hex', 0, 8)}`;
}

/**
 * Posts every link of the audit chain, in order, from the last one that the receiver has accepted. Any number of
 * processes may run it. Spec: OPERATOR-22.
 */
export function startAuditPosting(context: AuditPostingContext): { stop(): Promise<void> } {
  const { executor, environment, receiver, log } = context;
  const poster = createPoster(receiver, 'Latchkey-Audit');
  const name = createHash('sha256').update(receiver.url.href).digest('hex');

  async function send(claim: AuditClaim): Promise<void> {
    const batch = await readAuditBatch(executor, claim.position, batchSize);
    const last = batch.links.at(-1);
    if (!last) return;
    const answer = await poster.post(idOf(batch), bodyOf(environment, batch), claim.now);
    const { problem } = answer;
    if (problem === null) return acceptAuditLinks(executor, claim, last.position);
    const { position, attempts } = claim;
    const failed = Math.min(attempts, longestDelay);
    const againIn = retryInSeconds(failed, delayAsked(answer, claim.now), Math.random())!;
    await refuseAuditLinks(executor, claim, problem, againIn);
    log.warn({ position, attempts, problem }, 'audit trail not accepted');
  }

  const loop = startLoop({
    name: 'post the audit trail',
    everyMs: roundMs,
    async work() {
      poster.tidy();
      const claim = await claimAuditLinks(executor, name, leaseSeconds);
      if (!claim) return roundMs;
      await send(claim);
      return 0;
    },
    log,
  });
  return {
    async stop() {
      // Ends the request in flight; its links are sent again when the lease ends.
      await Promise.all([loop.stop(), poster.close()]);
    },
  };
}
