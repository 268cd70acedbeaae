/** Lists of the card provider, as staff read them. */
import { OperatorRefusal } from '../../access/index.ts';
import { askPort, type PortAnswer, type UnknownAnswer } from '../../bookings/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { CardProvider } from '../ports/card-provider.ts';

/** The dependencies of reading lists of the provider. */
export interface ListParts {
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
export const noProvider = (): OperatorRefusal =>
  new OperatorRefusal('There is no card provider: set STRIPE_SECRET_KEY and the others.');

/** Reads a page of a list of the provider. Throws `OperatorRefusal` if it does not answer in time. */
async function ask<Answer extends { outcome: string }>(
  { signal, askedMs = usualAskedMs }: ListParts,
  call: (signal: AbortSignal) => Promise<Answer>,
): Promise<Exclude<Answer, UnknownAnswer>> {
  const answer = await askPort(askedMs, (late) => call(AbortSignal.any([signal, late])));
  if (answer.outcome !== 'unknown') return answer as Exclude<Answer, UnknownAnswer>;
  throw new OperatorRefusal('The card provider does not answer. Nothing was changed; try again.');
}

/** A list of the provider, page by page. */
export async function* pagesOf<Item>(
  parts: ListParts,
  list: (
    after: string | null,
    signal: AbortSignal,
  ) => Promise<PortAnswer<{ items: Item[]; next: string | null }>>,
): AsyncIterable<Item[]> {
  let after: string | null = null;
  do {
    const place: string | null = after;
    const page: { items?: Item[]; next?: string | null } = await ask(parts, (signal) =>
      list(place, signal),
    );
    yield page.items ?? [];
    after = page.next ?? null;
  } while (after !== null);
}
