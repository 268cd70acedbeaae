import { isRefusal } from '../../contract/errors.ts';
import type { Catalog } from '../catalog.ts';

/** Does an act on homes, and reads what it has written before the reply: the next call of staff sees it. */
export async function followed<T>(
  { catalog }: { catalog: Pick<Catalog, 'followSoon'> },
  act: Promise<T>,
): Promise<T> {
  const done = await act;
  if (!isRefusal(done)) await catalog.followSoon();
  return done;
}
