import { OperatorRefusal } from '../../access/index.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { FileStorage } from '../../platform/file-storage/file-storage.ts';
import { withDeadlinePaused } from '../../platform/postgres/deadline.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { keepPicture } from '../store/pictures.ts';
import { fileOfPicture, pictureMediaType } from './names.ts';
import { processPicture, type ProcessedPicture } from './process-picture.ts';

/** What uploads need. */
export interface PictureParts {
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

const isBeingRemoved = (): OperatorRefusal =>
  new OperatorRefusal('This picture is being removed: upload it again in an hour.');

async function recordPicture(
  { database }: PictureParts,
  actor: string,
  { pictureId, width, height }: ProcessedPicture,
): Promise<void> {
  await auditedChange(
    database,
    async (executor) => {
      if (!(await keepPicture(executor, pictureId))) throw isBeingRemoved();
      return { pictureId, width, height };
    },
    (details) => ({ actor, action: 'picture.upload', applicationId: null, details }),
  );
}

/**
 * Stores a picture for homes. The same picture is stored only once. A picture without a home is removed
 * after a month. Throws `OperatorRefusal`, and `StorageError` where the files cannot be stored.
 */
export async function uploadPicture(
  parts: PictureParts,
  actor: string,
  bytes: Buffer,
): Promise<UploadedPicture> {
  const picture = await withDeadlinePaused(() => processPicture(bytes));
  // Before its files, so that these are removed also if this process dies.
  await recordPicture(parts, actor, picture);
  await withDeadlinePaused(() =>
    Promise.all(
      picture.files.map(({ name, content }) =>
        parts.pictures.write(name, content, pictureMediaType),
      ),
    ),
  );
  const { pictureId, width, height } = picture;
  return { pictureId, file: fileOfPicture(pictureId), width, height };
}
