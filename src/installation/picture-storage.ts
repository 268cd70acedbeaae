import path from 'node:path';
import { uploadsPath } from '../catalog/index.ts';
import type { Config } from '../config/config.ts';
import { bucketStorage } from '../platform/file-storage/bucket.ts';
import type { FileStorage } from '../platform/file-storage/file-storage.ts';
import { folderStorage } from '../platform/file-storage/folder.ts';

/** Opens where uploaded pictures are stored: the bucket of the configuration, or the data folder. */
export const openPictureStorage = ({
  pictureBucket,
  dataDir,
}: Pick<Config, 'pictureBucket' | 'dataDir'>): FileStorage =>
  pictureBucket ? bucketStorage(pictureBucket) : folderStorage(path.resolve(dataDir, uploadsPath));
