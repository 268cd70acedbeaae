/** Lists of the card provider, as staff read them. */
import { askPort, type PortAnswer, type UnknownAnswer } from '../../bookings/index.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { CardProvider } from '../ports/card-provider.ts';

/** The dependencies of reading lists of the provider. */
export interface ListContext {
  executor: Executor;
  provider: CardProvider;
  /** Ends it. */
  signal: AbortSignal;
  /** The time of one call of the provider, in milliseconds. */
  askedMs?: number;
}

/** The time of one call of the provider, in milliseconds. */
export const usualAskedMs = 10_000;

/** Why nothing can be read without a provider. */
export const noProvider = refuseConflict(
  'There is no card provider: set STRIPE_SECRET_KEY and the others.',
);

const unanswered = refuseConflict(
  'The card provider does not answer. Nothing was changed; try again.',
);

/** Reads a page of a list of the provider. Refuses if it does not answer in time. */
async function ask<Answer extends { outcome: string }>(
  { signal, askedMs = usualAskedMs }: ListContext,
  call: (signal: AbortSignal) => Promise<Answer>,
): Promise<Exclude<Answer, UnknownAnswer> | Refusal<'conflict'>> {
  const answer = await askPort(askedMs, (late) => call(AbortSignal.any([signal, late])));
  return answer.outcome === 'unknown' ? unanswered : (answer as Exclude<Answer, UnknownAnswer>);
}

/** A list of the provider, page by page. A refusal is the last. */
export async function* pagesOf<Item>(
  context: ListContext,
  list: (
    after: string | null,
    signal: AbortSignal,
  ) => Promise<PortAnswer<{ items: Item[]; next: string | null }>>,
): AsyncIterable<Item[] | Refusal<'conflict'>> {
  let after: string | null = null;
  do {
    const position: string | null = after;
    const page: { items?: Item[]; next?: string | null } | Refusal<'conflict'> = await ask(
      context,
      (signal) => list(position, signal),
    );
    if (isRefusal(page)) return yield page;
    yield page.items ?? [];
    after = page.next ?? null;
  } while (after !== null);
}
