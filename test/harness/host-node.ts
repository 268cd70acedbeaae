/** The Node installed on this machine, without the project's settings. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const isOfOurs = (folder: string): boolean => /[\\/]node_modules[\\/]\.bin$/.test(folder);

const isOfThisMachine = (file: string): boolean =>
  existsSync(file) && spawnSync(file, ['--version']).status === 0;

/** The first Node on the path that did not come with the packages; where there is none, our own. */
export const hostNode: string =
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !isOfOurs(folder))
    .map((folder) => path.join(folder, 'node'))
    .find(isOfThisMachine) ?? process.execPath;
