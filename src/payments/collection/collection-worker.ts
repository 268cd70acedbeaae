import type { Log } from '../../platform/log.ts';
import { startClaiming } from '../../platform/claims.ts';
import { inBatches, startLoop } from '../../platform/loop.ts';
import { claimAccounts, type ClaimedAccount } from '../store/accounts.ts';
import { returnPayment } from '../returns/return-payment.ts';
import { checkRefunds } from './check-refunds.ts';
import { type ClaimedReturn, claimReturns } from '../store/returns.ts';
import { collectAccount } from './collect-account.ts';
import type { CollectionContext } from './collection-step.ts';

/** The dependencies of the collection worker. */
export interface CollectionWorkerContext extends CollectionContext {
  log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Collects later instalments and differences, pays refunds, gives back what was paid without a reservation, and checks
 * refunds again later.
 */
export interface CollectionWorker {
  /** Looks for due accounts and payments now instead of waiting for the next round. */
  wake(): void;
  /** Claims no more accounts and waits for the running steps. */
  stop(): Promise<void>;
}

const roundMs = 1_000;
const inFlightAtMost = 16;
const leaseSeconds = 30;
const checksMs = 10_000;
const checkedAtOnce = 8;

/** Starts the collection worker of this process. Any number of processes may run one. Spec: MONEY-2. */
export function startCollection({ log, ...context }: CollectionWorkerContext): CollectionWorker {
  async function collect(claim: ClaimedAccount): Promise<void> {
    const { checkoutId, applicationId } = claim;
    try {
      const act = await collectAccount(context, claim);
      if (!act || act.act === 'wait') return;
      log.info({ applicationId, checkoutId, act: act.act }, 'settlement step done');
      claiming.wake();
    } catch (error) {
      const details = { err: error, applicationId, checkoutId };
      log.warn(details, 'settlement failed; retried when the lease ends');
    }
  }

  const claiming = startClaiming<ClaimedAccount>({
    name: 'settle accounts',
    everyMs: roundMs,
    inFlightAtMost,
    claim: async (atMost) => ({
      claims: await claimAccounts(context.executor, atMost, leaseSeconds),
    }),
    process: collect,
    log,
  });
  async function giveBack(claim: ClaimedReturn): Promise<void> {
    const { paymentId } = claim;
    try {
      const act = await returnPayment(context, claim);
      if (!act) return;
      log.info({ paymentId, act: act.act }, 'return step done');
      if (act.act !== 'done') returning.wake();
    } catch (error) {
      log.warn({ err: error, paymentId }, 'return failed; retried when the lease ends');
    }
  }

  const returning = startClaiming<ClaimedReturn>({
    name: 'return payments',
    everyMs: roundMs,
    inFlightAtMost,
    claim: async (atMost) => ({
      claims: await claimReturns(context.executor, atMost, leaseSeconds),
    }),
    process: giveBack,
    log,
  });
  const checks = startLoop({
    name: 'check refunds',
    everyMs: checksMs,
    work: inBatches(checkedAtOnce, (rows) => checkRefunds({ ...context, log }, rows)),
    log,
  });
  return {
    wake() {
      claiming.wake();
      returning.wake();
    },
    async stop() {
      await Promise.all([claiming.stop(), returning.stop(), checks.stop()]);
    },
  };
}
