import type { FileStorage } from '../../platform/file-storage/file-storage.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { forgetPictures, lookAtPictures } from '../store/pictures.ts';
import { storedNamesOf } from './names.ts';

/** Removes the files of pictures that no home has had for a month. Returns how many pictures it has looked at. */
export async function sweepPictures(
  executor: Executor,
  pictures: FileStorage,
  atMost: number,
): Promise<number> {
  const looked = await lookAtPictures(executor, atMost);
  const ids = looked.filter(({ state }) => state === 'removing').map(({ pictureId }) => pictureId);
  for (const name of ids.flatMap(storedNamesOf)) await pictures.remove(name);
  if (ids.length > 0) await forgetPictures(executor, ids);
  return looked.length;
}
