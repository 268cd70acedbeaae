/** The command that uploads a picture. */
import { readFile } from 'node:fs/promises';
import { addPicture, listPictures, uploadPicture } from '../catalog/index.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../contract/operator/errors.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import { StorageError } from '../platform/file-storage/file-storage.ts';
import { sizeOf } from './catalog-commands.ts';
import { command, type CommandContext } from './command.ts';
import { followed } from './followed.ts';
import * as kinds from './flag-kinds.ts';

const listing = {
  kind: kinds.listing,
  required: true,
  description: 'The home, by its slug or ID.',
} as const;
const alt = {
  kind: kinds.line('TEXT', operatorLimits.altLength),
  required: false,
  description: 'Alternative text, for people who cannot see the picture.',
} as const;
const position = {
  kind: kinds.wholeNumber({ min: 1, max: operatorLimits.picturesOfHome }),
  required: false,
  description: 'Its place among the pictures of the home, from 1.',
} as const;

async function readPictureFile(name: string): Promise<Buffer | Refusal<'conflict'>> {
  const bytes = await sizeOf(name);
  if (isRefusal(bytes)) return bytes;
  if (bytes <= operatorLimits.pictureBytes) return readFile(name);
  return refuseConflict(`${name} is larger than ${operatorLimits.pictureBytes / 1024 / 1024} MB.`);
}

async function stored(
  context: CommandContext,
  bytes: Buffer,
): Promise<{ pictureId: string } | Refusal> {
  try {
    return await uploadPicture(context, context.actor, bytes);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    return refuseStaff('unavailable', `The picture was not stored: ${error.message}.`);
  }
}

const verbs = {
  add: command({
    summary: 'Gives a home a picture: a JPEG, PNG or WebP file.',
    argument: 'file',
    flags: {
      file: { kind: kinds.line('FILE', 4_096), required: true, description: 'The file.' },
      listing,
      alt,
      position: { ...position, description: `${position.description} The default is the end.` },
    },
    changesApplication: false,
    async run(context, { file, listing: name, alt: text = '', position: place }) {
      const home = { listing: name, baseUrl: context.baseUrl };
      // Before the file is stored: the home may not exist.
      const before = await listPictures(context.database, home);
      if (isRefusal(before)) return before;
      const bytes = await readPictureFile(file);
      if (isRefusal(bytes)) return bytes;
      const picture = await stored(context, bytes);
      if (isRefusal(picture)) return picture;
      const added = { pictureId: picture.pictureId, alt: text, position: place };
      const items = await addPicture(context.database, context.actor, home, added);
      if (isRefusal(items)) return items;
      await followed(true);
      return { document: { items } };
    },
  }),
};

/** Pictures of homes, from files. */
export const pictureCommands = { picture: verbs };
