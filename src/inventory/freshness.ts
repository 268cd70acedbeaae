import { isRefusal, refuse, type Refusal } from '../contract/errors.ts';
import type { EpochMs } from '../contract/time.ts';
import type { InventoryContext } from './context.ts';

type Freshness = Pick<InventoryContext, 'catalog' | 'liveReads' | 'now'>;

/**
 * Follows the catalog if this process has not done so for `atMostSeconds`. A refusal: it is still older than
 * that. Null: it is recent enough. Spec: decisions, The operator's own homes, `meta.asOf`.
 */
export async function followIfOld(
  { catalog, liveReads, now }: Freshness,
  atMostSeconds: number,
): Promise<Refusal<'unavailable'> | null> {
  const isOld = (): boolean => now() - catalog.knownUntil() > atMostSeconds * 1_000;
  if (!isOld()) return null;
  const followed = await liveReads(() => catalog.follow());
  if (isRefusal(followed)) return followed;
  return isOld() ? { ...refuse('unavailable'), retryAfterSeconds: 1 } : null;
}

/**
 * The `meta.asOf` of a response with nights read after `readAt`. Call it together with the read of the
 * catalog: the response then includes all changes up to this time.
 */
export const asOfRead = ({ catalog }: Pick<Freshness, 'catalog'>, readAt: EpochMs): EpochMs =>
  Math.min(readAt, catalog.knownUntil());
