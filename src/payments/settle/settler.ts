import { inBatches, startLoop, type Loop } from '../../platform/loop.ts';
import { claimAccounts, type ClaimedAccount } from '../store/accounts.ts';
import { checkRefunds } from './check-refunds.ts';
import { settleAccount, type SettlementParts } from './settle-account.ts';

/** The log methods that the settlement uses. */
export interface SettlerLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** The dependencies of the settlement worker. */
export interface SettlerParts extends SettlementParts {
  log: SettlerLog;
}

/** Collects later instalments and differences, pays refunds, and looks at them again. */
export interface Settler {
  /** Looks for due accounts now instead of waiting for the next round. */
  wake(): void;
  /** Claims no more accounts and waits for the running steps. */
  stop(): Promise<void>;
}

const roundMs = 1_000;
const inFlightAtMost = 16;
const leaseSeconds = 30;
const checksMs = 10_000;
const checkedAtOnce = 8;

/** Starts the settlement worker of this process. Any number of processes may run one. Spec: Card payments. */
export function startSettler({ log, ...parts }: SettlerParts): Settler {
  const running = new Set<Promise<void>>();

  async function settle(claim: ClaimedAccount): Promise<void> {
    const { checkoutId, applicationId } = claim;
    try {
      const act = await settleAccount(parts, claim);
      if (!act || act.act === 'wait') return;
      log.info({ applicationId, checkoutId, act: act.act }, 'account settled a step');
      loop.wake();
    } catch (error) {
      const details = { err: error, applicationId, checkoutId };
      log.warn(details, 'settlement failed; retried when the lease ends');
    }
  }

  async function round(): Promise<number | void> {
    const slots = inFlightAtMost - running.size;
    if (slots === 0) {
      await Promise.race(running);
      return 0;
    }
    const claims = await claimAccounts(parts.executor, slots, leaseSeconds);
    for (const claim of claims) {
      const begun = settle(claim).finally(() => running.delete(begun));
      running.add(begun);
    }
    if (claims.length === slots) return 0;
  }

  const loop: Loop = startLoop({ name: 'settle accounts', everyMs: roundMs, work: round, log });
  const checks = startLoop({
    name: 'check refunds',
    everyMs: checksMs,
    work: inBatches(checkedAtOnce, (rows) => checkRefunds({ ...parts, log }, rows)),
    log,
  });
  return {
    wake: loop.wake,
    async stop() {
      await Promise.all([loop.stop(), checks.stop()]);
      await Promise.all(running);
    },
  };
}
