/** The program of the browser, which its package brings compressed. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(import.meta.dirname, '../..');
const folder = path.join(root, 'node_modules/.cache/chromium');
const program = path.join(folder, 'chromium');
const unpack = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;

/**
 * Returns the path of the program, with its libraries beside it; unpacks them first if nobody has. The package
 * itself unpacks into the folder for temporary files, and returns a program that another process has not
 * finished writing.
 */
export async function browserProgram(): Promise<string> {
  if (existsSync(program)) return program;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const env = { ...process.env, TMPDIR: unfinished };
  try {
    const options = ['--input-type=module', '--eval', unpack];
    await promisify(execFile)(process.execPath, options, { cwd: root, env });
    renameSync(unfinished, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(program)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return program;
}
