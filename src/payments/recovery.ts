import { wakeUncertainCheckouts } from '../bookings/index.ts';
import type { Executor } from '../platform/postgres/database.ts';
import type { CardProvider } from './ports/card-provider.ts';
import { wakeWaitingAccounts } from './store/accounts.ts';
import { wakeWaitingReturns } from './store/returns.ts';

// Bounds what many calls at once may write.
const pauseMs = 1_000;

// A lookup that succeeds is itself a sign: somebody has had a fault before it, perhaps another process.
const lookUps: ReadonlySet<string> = new Set(['findPayment', 'findRefund']);

/**
 * Wraps a provider: calls `onRecovered` as soon as a call succeeds after a fault. A fault is an answer that is not
 * known. Spec: UNCERTAIN-6.
 */
export function watchRecovery(
  provider: CardProvider,
  onRecovered: () => void,
  elapsedMs: () => number = () => performance.now(),
): CardProvider {
  let isFaulty = false;
  let quietUntil = -Infinity;

  function note(name: string, outcome: string): void {
    if (outcome === 'unknown') {
      isFaulty = true;
      return;
    }
    const isSign = isFaulty || lookUps.has(name);
    if (!isSign || elapsedMs() < quietUntil) return;
    isFaulty = false;
    quietUntil = elapsedMs() + pauseMs;
    onRecovered();
  }

  const watched = Object.entries(provider).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member];
    const call = member as (...given: unknown[]) => Promise<{ outcome: string }>;
    const watching = async (...given: unknown[]) => {
      const answer = await call(...given);
      note(name, answer.outcome);
      return answer;
    };
    return [name, watching];
  });
  return { ...provider, ...Object.fromEntries(watched) } as CardProvider;
}

const atOnce = 1_000;

async function all(wake: (atMost: number) => Promise<number>): Promise<void> {
  while ((await wake(atOnce)) === atOnce);
}

/** Makes everything due now that waits for an answer of the card provider. */
export async function wakeWaiting(executor: Executor): Promise<void> {
  await all((atMost) => wakeUncertainCheckouts(executor, atMost));
  await all((atMost) => wakeWaitingAccounts(executor, atMost));
  await all((atMost) => wakeWaitingReturns(executor, atMost));
}
