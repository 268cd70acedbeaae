import { readFile } from 'node:fs/promises';

const picturePath = /^\/pictures\/[a-z0-9-]+\/\d+\.svg$/;

/** Reads a picture of the simulation by its path, an SVG document; null: there is none. */
export async function picture(path: string): Promise<Buffer | null> {
  if (!picturePath.test(path)) return null;
  try {
    return await readFile(new URL(`.${path}`, import.meta.url));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
