import { after, type MaybePromise } from '../api/maybe-promise.ts';
import { isRefusal, refuse, type Refusal } from '../contract/errors.ts';
import type { EpochMs } from '../contract/time.ts';
import type { InventoryContext } from './context.ts';

type Known = Pick<InventoryContext, 'catalog' | 'availability'>;
type FreshnessContext = Known & Pick<InventoryContext, 'liveReads' | 'now' | 'isCurrent'>;

/** The database's time up to which this process knows all changes of the homes and of their nights. Spec: ERROR-13. */
export const knownUntil = ({ catalog, availability }: Known): EpochMs =>
  Math.min(catalog.knownUntil(), availability.knownUntil());

/**
 * Follows catalog and nights if this process has not done so for `atMostSeconds`, or may not have what the feed of
 * changes has published. Null: they are recent enough. The process's clock only decides whether to follow, and never
 * refuses: after a read from the database they are recent. Spec: SEARCH-11, COPY-2.
 */
export function followIfOld(
  context: FreshnessContext,
  atMostSeconds: number,
): MaybePromise<Refusal<'unavailable'> | null> {
  const { catalog, availability, liveReads, now, isCurrent } = context;
  if (isCurrent() && now() - knownUntil(context) <= atMostSeconds * 1_000) return null;
  const followed = liveReads(() => Promise.all([catalog.followSoon(), availability.follow()]));
  return after(followed, (outcome) => {
    if (isRefusal(outcome)) return outcome;
    const [isFollowed] = outcome;
    return isFollowed ? null : refuse('unavailable');
  });
}
