/** The command that uploads a picture. */
import { readFile } from 'node:fs/promises';
import { OperatorRefusal } from '../access/index.ts';
import { addPicture, listPictures, uploadPicture } from '../catalog/index.ts';
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

async function readPictureFile(name: string): Promise<Buffer> {
  if ((await sizeOf(name)) <= operatorLimits.pictureBytes) return readFile(name);
  throw new OperatorRefusal(
    `${name} is larger than ${operatorLimits.pictureBytes / 1024 / 1024} MB.`,
  );
}

async function stored(context: CommandContext, bytes: Buffer): Promise<{ pictureId: string }> {
  try {
    return await uploadPicture(context, context.actor, bytes);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new OperatorRefusal(`The picture was not stored: ${error.message}.`, { cause: error });
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
      await listPictures(context.database, home);
      const { pictureId } = await stored(context, await readPictureFile(file));
      const added = { pictureId, alt: text, position: place };
      const items = await addPicture(context.database, context.actor, home, added);
      await followed(true);
      return { document: { items } };
    },
  }),
};

/** Pictures of homes, from files. */
export const pictureCommands = { picture: verbs };
