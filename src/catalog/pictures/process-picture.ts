/** Makes the files of a picture from what was uploaded. */
import { createHash } from 'node:crypto';
import type { Sharp, SharpOptions } from 'sharp';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseStaff } from '../../contract/operator/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { pictureSizes, storedNameOf } from './names.ts';

/** A picture whose files are ready to be stored. */
export interface ProcessedPicture {
  /** A digest of its files. */
  pictureId: string;
  /** Of its largest file, in pixels. */
  width: number;
  height: number;
  files: { name: string; content: Buffer }[];
}

type MakeSharp = (input: Buffer, options: SharpOptions) => Sharp;

const mostPixels = 64_000_000;
// An interlaced file is decoded as a whole.
const mostDecodedBytes = 4 * mostPixels;
const mostSeconds = 10;
const largestSide = pictureSizes.at(-1)!;
const quality = 82;

/** The readers of the library that uploads may reach. All others, such as those of SVG and PDF, are blocked. */
const readers = ['Jpeg', 'Png', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`);

let opened: Promise<MakeSharp> | null = null;

async function openSharp(): Promise<MakeSharp> {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: readers });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}

/** Loads the library with the first picture: most processes never need it. */
const makeSharp = (): Promise<MakeSharp> => (opened ??= openSharp());

type NotAccepted = Refusal<'invalid_input'>;

const refusalFor = (message: string): NotAccepted =>
  refuseStaff('invalid_input', `The picture ${message}.`, { path: '', message });

/** What the library says of a file, and what it means. Anything else: the file is damaged. */
const meanings: readonly (readonly [RegExp, string])[] = [
  [/unsupported image format/, 'must be a JPEG, PNG or WebP file'],
  [/pixel limit/, `must have at most ${mostPixels / 1_000_000} megapixels`],
  [/timeout/, `takes more than ${mostSeconds} seconds to read`],
];

function refusalOf(error: unknown): NotAccepted {
  const { message } = error as Error;
  const known = meanings.find(([pattern]) => pattern.test(message));
  return refusalFor(known ? known[1] : 'is damaged: it cannot be read to its end');
}

const within = (side: number) =>
  ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }) as const;

interface Pixels {
  data: Buffer;
  raw: { width: number; height: number; channels: 3 };
}

const reading = { limitInputPixels: mostPixels, failOn: 'error' } as const;

/** Refuses a file whose pixels take too much memory. Reads only its header. Null: they do not. */
async function sizeRefusal(sharp: MakeSharp, bytes: Buffer): Promise<NotAccepted | null> {
  const read = await sharp(bytes, reading).metadata().catch(refusalOf);
  if (isRefusal(read)) return read;
  const { width, height, channels, depth } = read;
  const decodedBytes = width * height * channels * (depth === 'uchar' ? 1 : 2);
  if (decodedBytes <= mostDecodedBytes) return null;
  const most = `${mostDecodedBytes / 1_000_000} MB`;
  return refusalFor(`must take at most ${most} decoded: use 8 bits per channel, or fewer pixels`);
}

/** The pixels as they are seen: upright, in sRGB, without transparency. Nothing else of the file is kept. */
async function pixelsOf(sharp: MakeSharp, bytes: Buffer): Promise<Pixels | NotAccepted> {
  const read = await sharp(bytes, reading)
    .timeout({ seconds: mostSeconds })
    .autoOrient()
    .resize(within(largestSide))
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(refusalOf);
  if (isRefusal(read)) return read;
  const { data, info } = read;
  return { data, raw: { width: info.width, height: info.height, channels: 3 } };
}

async function filesOf(bytes: Buffer): Promise<ProcessedPicture | NotAccepted> {
  const sharp = await makeSharp();
  const tooLarge = await sizeRefusal(sharp, bytes);
  if (tooLarge) return tooLarge;
  const pixels = await pixelsOf(sharp, bytes);
  if (isRefusal(pixels)) return pixels;
  const { data, raw } = pixels;
  const contents: Buffer[] = [];
  for (const size of pictureSizes) {
    const resized = sharp(data, { raw }).resize(within(size));
    contents.push(await resized.jpeg({ quality, mozjpeg: true }).toBuffer());
  }
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  const pictureId = hash.digest('hex').slice(0, 32);
  const files = pictureSizes.map((size, at) => ({
    name: storedNameOf(pictureId, size),
    content: contents[at]!,
  }));
  return { pictureId, width: raw.width, height: raw.height, files };
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Makes the files of a picture: JPEG in each size. A process makes one at a time, because each may take much
 * memory and CPU. Refuses bytes that are not a picture that it accepts. Spec: LISTING-9.
 */
export async function processPicture(bytes: Buffer): Promise<ProcessedPicture | NotAccepted> {
  if (bytes.length === 0) return refusalFor('is empty');
  if (bytes.length > operatorLimits.pictureBytes) {
    return refusalFor(`must have at most ${operatorLimits.pictureBytes / 1024 / 1024} MB`);
  }
  const made = last.then(() => filesOf(bytes));
  last = made.catch(() => undefined);
  return made;
}
