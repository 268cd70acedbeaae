/** The pictures of a home by staff, one by one. */
import { checkSeen, noSuch, OperatorRefusal } from '../../access/index.ts';
import { Seen } from '../../api/seen.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import type { Image } from '../../pricing/index.ts';
import { readListing } from '../read-listing.ts';
import { changeListing } from '../write-listing.ts';
import { isPictureKept } from '../store/pictures.ts';
import { fileOfPicture, pictureIdOf, pictureUrl } from './names.ts';

/** A picture of a home. */
export interface PictureOfHome {
  pictureId: string;
  /** From 1. */
  position: number;
  url: string;
  alt: string;
}

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

/** Lists the pictures of a home in their order. Throws `OperatorRefusal`. */
export async function listPictures(
  executor: Executor,
  { listing, baseUrl }: HomeOfPictures,
): Promise<PictureOfHome[]> {
  const file = await readListing(executor, listing);
  return shown(file.listing.images ?? [], baseUrl);
}

// Others may save the home between reading and writing.
const mostTries = 10;

const isStale = (error: unknown): boolean =>
  error instanceof OperatorRefusal && error.refusal.refused === 'precondition_failed';

/** Changes the pictures of a home, even if other parts of it change meanwhile. */
async function changePictures(
  database: Database,
  actor: string,
  { listing: name, baseUrl }: HomeOfPictures,
  change: (images: readonly Image[]) => Image[],
  seen?: Seen,
): Promise<PictureOfHome[]> {
  for (let tries = 1; ; tries += 1) {
    const { listing, version } = await readListing(database, name);
    // What is read here is compared once more where it is written.
    checkSeen(seen, version, `The version of ${listing.slug}`);
    const images = change(listing.images ?? []);
    try {
      const changed = { name, seen: new Seen(version), listing: { ...listing, images } };
      await changeListing(database, actor, changed);
      return shown(images, baseUrl);
    } catch (error) {
      if (!isStale(error) || tries === mostTries) throw error;
    }
  }
}

function placeOf(images: readonly Image[], pictureId: string): number {
  const at = images.findIndex((image) => pictureIdOf(image) === pictureId);
  if (at === -1) throw noSuch(`The home has no picture ${pictureId}.`);
  return at;
}

/** Where a picture goes: a position from 1; absent, or after the last: at the end. */
const inserted = (images: readonly Image[], image: Image, position = Infinity): Image[] =>
  images.toSpliced(Math.min(position - 1, images.length), 0, image);

/** Gives a home an uploaded picture. A picture that it already has stays in place. Throws `OperatorRefusal`. */
export async function addPicture(
  database: Database,
  actor: string,
  home: HomeOfPictures,
  { pictureId, alt, position }: { pictureId: string; alt: string; position?: number | undefined },
): Promise<PictureOfHome[]> {
  if (!(await isPictureKept(database, pictureId))) {
    throw noSuch(`There is no uploaded picture ${pictureId}.`);
  }
  return changePictures(database, actor, home, (images) => {
    if (images.some((image) => pictureIdOf(image) === pictureId)) return [...images];
    if (images.length >= operatorLimits.picturesOfHome) {
      throw new OperatorRefusal(`A home has at most ${operatorLimits.picturesOfHome} pictures.`);
    }
    return inserted(images, { file: fileOfPicture(pictureId), alt }, position);
  });
}

/** Changes the text of a picture, its position, or both. Throws `OperatorRefusal`. */
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
): Promise<PictureOfHome[]> => {
  const change = (images: readonly Image[]): Image[] => {
    const at = placeOf(images, pictureId);
    const image = { ...images[at]!, ...(alt !== undefined && { alt }) };
    return inserted(images.toSpliced(at, 1), image, position ?? at + 1);
  };
  return changePictures(database, actor, home, change, seen);
};

/** Removes a picture from a home. Throws `OperatorRefusal`. */
export const removePicture = (
  database: Database,
  actor: string,
  home: HomeOfPictures,
  pictureId: string,
): Promise<PictureOfHome[]> =>
  changePictures(database, actor, home, (images) =>
    images.toSpliced(placeOf(images, pictureId), 1),
  );
