import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { FileStorage } from '../../platform/file-storage/file-storage.ts';
import { withDeadlinePaused } from '../../platform/postgres/deadline.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { keepPicture } from '../store/pictures.ts';
import { fileOfPicture, pictureMediaType } from './names.ts';
import { processPicture, type ProcessedPicture } from './process-picture.ts';

/** What uploads need. */
export interface PictureContext {
  database: Database;
  pictures: FileStorage;
}

/** A picture that a home can have now. */
export interface UploadedPicture {
  pictureId: string;
  /** As `images` of a home name it. */
  file: string;
  /** Of the largest file, in pixels. */
  width: number;
  height: number;
}

const isBeingRemoved = refuseConflict('This picture is being removed: upload it again in an hour.');

const recordPicture = (
  { database }: PictureContext,
  actor: string,
  { pictureId, width, height }: ProcessedPicture,
) =>
  auditedChange(
    database,
    async (executor) =>
      (await keepPicture(executor, pictureId)) ? { pictureId, width, height } : isBeingRemoved,
    (details) => ({ actor, action: 'picture.upload', details }),
  );

/**
 * Stores a picture for homes. The same picture is stored only once. A picture without a home is removed
 * after a month. Throws `StorageError` where the files cannot be stored.
 */
export async function uploadPicture(
  context: PictureContext,
  actor: string,
  bytes: Buffer,
): Promise<UploadedPicture | Refusal<'invalid_input' | 'conflict'>> {
  const picture = await withDeadlinePaused(() => processPicture(bytes));
  if (isRefusal(picture)) return picture;
  // Before its files, so that these are removed also if this process dies.
  const recorded = await recordPicture(context, actor, picture);
  if (isRefusal(recorded)) return recorded;
  await withDeadlinePaused(() =>
    Promise.all(
      picture.files.map(({ name, content }) =>
        context.pictures.write(name, content, pictureMediaType),
      ),
    ),
  );
  const { pictureId, width, height } = picture;
  return { pictureId, file: fileOfPicture(pictureId), width, height };
}
