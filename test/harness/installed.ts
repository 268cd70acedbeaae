/** Programs of the system that tests use where they are installed. */
import { existsSync } from 'node:fs';
import path from 'node:path';

// Debian installs servers where the PATH of a user does not look.
const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/sbin'];

/** The path of the first of these programs that is installed. */
export const findInstalled = (...programs: string[]): string | undefined =>
  folders
    .flatMap((folder) => programs.map((program) => path.join(folder, program)))
    .find((file) => existsSync(file));

/** Why tests that need a program are skipped; false: they run. CI installs it, so there they fail. */
export const skippedWithout = (name: string, file: string | undefined): string | false =>
  file || process.env['CI'] ? false : `${name} is not installed`;
