/** The pictures of a home by staff, one by one. */
import type { OperatorReplyOf } from '../../contract/operator/operations.ts';
import { seenRefusal } from '../../access/index.ts';
import { Seen } from '../../api/seen.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import type { Image } from '../../pricing/index.ts';
import { readListing } from '../read-listing.ts';
import { changeListing } from '../write-listing.ts';
import { isPictureKept } from '../store/pictures.ts';
import { fileOfPicture, pictureIdOf, pictureUrl } from './names.ts';

/** A picture of a home. */
export type PictureOfHome = OperatorReplyOf<'operator.picture.list'>['body']['items'][number];

/** The home, by slug or ID, and the base URL of addresses. */
export interface HomeOfPictures {
  listing: string;
  baseUrl: string;
}

const shown = (images: readonly Image[], baseUrl: string): PictureOfHome[] =>
  images.map((image, at) => ({
    pictureId: pictureIdOf(image),
    position: at + 1,
    url: pictureUrl(image, baseUrl),
    alt: image.alt,
  }));

/** Lists the pictures of a home in their order. */
export async function listPictures(
  executor: Executor,
  { listing, baseUrl }: HomeOfPictures,
): Promise<PictureOfHome[] | Refusal<'not_found'>> {
  const inFull = await readListing(executor, listing);
  return isRefusal(inFull) ? inFull : shown(inFull.listing.images ?? [], baseUrl);
}

// Others may save the home between reading and writing.
const mostTries = 10;

type NotChanged = Refusal<'invalid_input' | 'not_found' | 'conflict' | 'precondition_failed'>;

/** Changes the pictures of a home, even if other parts of it change meanwhile. */
async function changePictures(
  database: Database,
  actor: string,
  { listing: name, baseUrl }: HomeOfPictures,
  change: (images: readonly Image[]) => Image[] | Refusal<'not_found' | 'conflict'>,
  seen?: Seen,
): Promise<PictureOfHome[] | NotChanged> {
  for (let tries = 1; ; tries += 1) {
    const inFull = await readListing(database, name);
    if (isRefusal(inFull)) return inFull;
    const { listing, version } = inFull;
    // What is read here is compared once more where it is written.
    const unseen = seenRefusal(seen, version, listing.slug);
    if (unseen) return unseen;
    const images = change(listing.images ?? []);
    if (isRefusal(images)) return images;
    const wanted = { name, seen: new Seen(version), listing: { ...listing, images } };
    const changed = await changeListing(database, actor, wanted);
    if (!isRefusal(changed)) return shown(images, baseUrl);
    if (changed.refused !== 'precondition_failed' || tries === mostTries) return changed;
  }
}

function indexOfPicture(
  images: readonly Image[],
  pictureId: string,
): number | Refusal<'not_found'> {
  const at = images.findIndex((image) => pictureIdOf(image) === pictureId);
  return at === -1 ? refuseStaff('not_found', `The home has no picture ${pictureId}.`) : at;
}

/** Where a picture goes: a position from 1; absent, or after the last: at the end. */
const inserted = (images: readonly Image[], image: Image, position = Infinity): Image[] =>
  images.toSpliced(Math.min(position - 1, images.length), 0, image);

/** Gives a home an uploaded picture. A picture that it already has stays in place. */
export async function addPicture(
  database: Database,
  actor: string,
  home: HomeOfPictures,
  { pictureId, alt, position }: { pictureId: string; alt: string; position?: number | undefined },
): Promise<PictureOfHome[] | NotChanged> {
  if (!(await isPictureKept(database, pictureId))) {
    return refuseStaff('not_found', `There is no uploaded picture ${pictureId}.`);
  }
  return changePictures(database, actor, home, (images) => {
    if (images.some((image) => pictureIdOf(image) === pictureId)) return [...images];
    if (images.length >= operatorLimits.picturesOfHome) {
      return refuseConflict(`A home has at most ${operatorLimits.picturesOfHome} pictures.`);
    }
    return inserted(images, { file: fileOfPicture(pictureId), alt }, position);
  });
}

/** Changes the text of a picture, its position, or both. */
export const setPicture = (
  database: Database,
  actor: string,
  home: HomeOfPictures,
  {
    pictureId,
    alt,
    position,
    seen,
  }: {
    pictureId: string;
    alt?: string | undefined;
    position?: number | undefined;
    /** The version of the home that staff have seen. */
    seen: Seen;
  },
): Promise<PictureOfHome[] | NotChanged> => {
  const change = (images: readonly Image[]): Image[] | Refusal<'not_found'> => {
    const at = indexOfPicture(images, pictureId);
    if (isRefusal(at)) return at;
    const image = { ...images[at]!, ...(alt !== undefined && { alt }) };
    return inserted(images.toSpliced(at, 1), image, position ?? at + 1);
  };
  return changePictures(database, actor, home, change, seen);
};

/** Removes a picture from a home. */
export const removePicture = (
  database: Database,
  actor: string,
  home: HomeOfPictures,
  pictureId: string,
): Promise<PictureOfHome[] | NotChanged> =>
  changePictures(database, actor, home, (images) => {
    const at = indexOfPicture(images, pictureId);
    return isRefusal(at) ? at : images.toSpliced(at, 1);
  });
