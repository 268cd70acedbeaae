import path from 'node:path';

/** The folder of the pictures of the simulation's homes. */
export const picturesFolder = path.join(import.meta.dirname, 'pictures');
