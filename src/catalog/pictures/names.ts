/** The names of the files of uploaded pictures. */
import { createHash } from 'node:crypto';
import type { Image } from '../../pricing/index.ts';

/** The longest side of each file of a picture, in pixels. A smaller picture is never enlarged. */
export const pictureSizes = [480, 960, 1_920] as const;
type PictureSize = (typeof pictureSizes)[number];

const largestSize = pictureSizes.at(-1)!;

/** Where uploaded pictures are, below the base URL. */
export const uploadsPath = 'pictures/uploaded';
export const pictureMediaType = 'image/jpeg';

const storedName = /^([0-9a-f]{32})-(?:480|960|1920)\.jpg$/;

/** The name of a file in the storage. */
export const storedNameOf = (pictureId: string, size: PictureSize): string =>
  `${pictureId}-${size}.jpg`;

/** The names of all files of a picture. */
export const storedNamesOf = (pictureId: string): string[] =>
  pictureSizes.map((size) => storedNameOf(pictureId, size));

/** Whether a name can be that of a stored file. */
export const isStoredName = (name: string): boolean => storedName.test(name);

/** The `file` of an uploaded picture in a catalog file: its largest file. */
export const fileOfPicture = (pictureId: string): string =>
  `${uploadsPath}/${storedNameOf(pictureId, largestSize)}`;

const uploadedIdOf = (file: string): string | undefined =>
  file.startsWith(`${uploadsPath}/`)
    ? storedName.exec(file.slice(uploadsPath.length + 1))?.[1]
    : undefined;

const addressOf = (image: Image): string => ('url' in image ? image.url : image.file);

/** Identifies a picture of a home: that of an upload, or the digest of its address. */
export const pictureIdOf = (image: Image): string =>
  uploadedIdOf(addressOf(image)) ??
  createHash('sha256').update(addressOf(image)).digest('hex').slice(0, 32);

/** The address of a picture. */
export const pictureUrl = (image: Image, baseUrl: string): string =>
  'url' in image ? image.url : `${baseUrl}/${image.file}`;
