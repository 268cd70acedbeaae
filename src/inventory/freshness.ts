import { isRefusal, type Refusal } from '../contract/errors.ts';
import type { InventoryContext } from './context.ts';

/**
 * Follows the catalog if this process has not done so for `atMostSeconds`. Null: the catalog is recent
 * enough. The process's clock only decides whether to follow, and never refuses: after a read from the
 * database the catalog is recent. Spec: decisions, The operator's own homes, `meta.asOf`.
 */
export async function followIfOld(
  { catalog, liveReads, now }: Pick<InventoryContext, 'catalog' | 'liveReads' | 'now'>,
  atMostSeconds: number,
): Promise<Refusal<'unavailable'> | null> {
  if (now() - catalog.knownUntil() <= atMostSeconds * 1_000) return null;
  const followed = await liveReads(() => catalog.follow());
  return isRefusal(followed) ? followed : null;
}
