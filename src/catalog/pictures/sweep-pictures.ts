import type { FileStorage } from '../../platform/file-storage/file-storage.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { forgetPicture, lookAtPictures } from '../store/pictures.ts';
import { storedNamesOf } from './names.ts';

/** Removes the files of pictures that no home has had for a month. Returns how many pictures it has looked at. */
export async function sweepPictures(
  executor: Executor,
  pictures: FileStorage,
  atMost: number,
): Promise<number> {
  await pictures.removeParts();
  const looked = await lookAtPictures(executor, atMost);
  for (const { pictureId, state } of looked) {
    if (state !== 'removing') continue;
    for (const name of storedNamesOf(pictureId)) await pictures.remove(name);
    await forgetPicture(executor, pictureId);
  }
  return looked.length;
}
