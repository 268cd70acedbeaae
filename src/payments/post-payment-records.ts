import type { Log } from '../platform/log.ts';
import { createHash } from 'node:crypto';
import type { Environment } from '../contract/wire.ts';
import { startClaiming } from '../platform/claims.ts';
import { inBatches, startLoop } from '../platform/loop.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { createPoster, type PostReceiver } from '../platform/sending/poster.ts';
import { delayAsked, delays, retryInSeconds } from '../platform/sending/retry.ts';
import { paymentRecordBody, paymentRecordId } from './rules/payment-record.ts';
import {
  claimPaymentRecords,
  forgetPaymentRecords,
  numberPaymentRecords,
  type PaymentRecordClaim,
  writePaymentRecordResult,
} from './store/payment-records.ts';

/** The dependencies of the records of money. */
export interface PaymentRecordsContext {
  executor: Executor;
  log: Pick<Log, 'warn'>;
}

const roundMs = 1_000;
const forgottenEveryMs = 60_000;
const inFlightAtMost = 8;
// Longer than an attempt and the writing of its result.
const leaseSeconds = 30;
const atOnce = 1_000;

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Where no system is told, records are of no use. */
const startForgetting = ({ executor, log }: PaymentRecordsContext) =>
  startLoop({
    name: 'forget payment records',
    everyMs: forgottenEveryMs,
    work: inBatches(atOnce, (rows) => forgetPaymentRecords(executor, rows)),
    log,
  });

function startPosting(
  { executor, log }: PaymentRecordsContext,
  { environment, ...receiver }: PostReceiver & { environment: Environment },
) {
  const poster = createPoster(receiver, 'Latchkey-Records');

  async function send(claim: PaymentRecordClaim): Promise<void> {
    const { reference, epoch, sequence, attempts, now } = claim;
    const id = paymentRecordId(claim, digest);
    const answer = await poster.post(id, paymentRecordBody(environment, claim), now);
    const { problem } = answer;
    // Attempts continue with the longest delay until it is accepted.
    const failed = Math.min(attempts, delays);
    const againIn =
      problem === null ? null : retryInSeconds(failed, delayAsked(answer, now), Math.random());
    await writePaymentRecordResult(executor, claim, problem, againIn);
    if (problem === null) return;
    log.warn({ reference, epoch, sequence, attempts, problem }, 'payment record not accepted');
  }

  const claiming = startClaiming<PaymentRecordClaim>({
    name: 'post payment records',
    everyMs: roundMs,
    inFlightAtMost,
    async claim(atMost) {
      poster.tidy();
      await numberPaymentRecords(executor, atOnce);
      return { claims: await claimPaymentRecords(executor, atMost, leaseSeconds) };
    },
    process: (claim) =>
      send(claim).catch((error: unknown) => {
        const { epoch, sequence } = claim;
        log.warn({ err: error, epoch, sequence }, 'payment record result not written; sent again');
      }),
    log,
  });
  return {
    async stop() {
      // Ends the requests in flight; they are repeated when their leases end.
      await Promise.all([claiming.stop(), poster.close()]);
    },
  };
}

/**
 * Posts every collection, refund, decline and dispute to the operator's own system, signed and retried as its records of
 * reservations are. Any number of processes can run it. Null: there is no such system. Spec: MONEY-20.
 */
export const startPaymentRecords = (
  context: PaymentRecordsContext,
  receiver: (PostReceiver & { environment: Environment }) | null,
): { stop(): Promise<void> } =>
  receiver === null ? startForgetting(context) : startPosting(context, receiver);
