import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../contract/wire.ts';
import { credentialsFile } from '../installation/credentials-file.ts';
import { masterKeyFile, masterKeysIn } from '../installation/master-key.ts';
import type { Reader } from './reader.ts';

function textOfKeyFile(reader: Reader, file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    reader.wrong(
      'LATCHKEY_MASTER_KEY_FILE',
      `must name a file that can be read: ${(error as Error).message}.`,
    );
    return null;
  }
}

function keysOfFile(reader: Reader, file: string): readonly Buffer[] | null {
  const text = textOfKeyFile(reader, file);
  const keys = text === null ? null : masterKeysIn(text);
  if (text !== null && !keys)
    reader.wrong(
      'LATCHKEY_MASTER_KEY_FILE',
      'must name a file with one key a line, each 32 bytes in base64.',
    );
  return keys;
}

/**
 * Reads the master keys, the first for everything new. Null: one is created and stored in the data folder. Never null in
 * `live`. Spec: ACCESS-14.
 */
export function masterKeysOf(reader: Reader, environment: Environment): readonly Buffer[] | null {
  const text = reader.text('LATCHKEY_MASTER_KEY');
  const file = reader.text('LATCHKEY_MASTER_KEY_FILE');
  if (text !== null && file !== null) {
    reader.wrong('LATCHKEY_MASTER_KEY_FILE', 'must not be set beside LATCHKEY_MASTER_KEY.');
  }
  if (file !== null) return keysOfFile(reader, file);
  if (text !== null) {
    const keys = masterKeysIn(text.replaceAll(',', '\n'));
    if (!keys) reader.wrong('LATCHKEY_MASTER_KEY', 'must be 32 bytes in base64.');
    return keys;
  }
  if (environment === 'live') {
    reader.wrong(
      'LATCHKEY_MASTER_KEY',
      'is required in live: a key in the data folder would lie next to the data that it seals.',
    );
  }
  return null;
}

/** Files that an environment may not find in its data folder. */
const foreignFiles: readonly {
  file(dataDir: string): string;
  refusedIn: readonly Environment[];
  why: string;
}[] = [
  {
    file: credentialsFile,
    refusedIn: ['test', 'live'],
    why: 'holds keys of the simulation: each environment needs its own LATCHKEY_DATA_DIR.',
  },
  {
    file: masterKeyFile,
    refusedIn: ['live'],
    why: 'is a master key next to the data that it seals: move it to where you keep secrets, and set LATCHKEY_MASTER_KEY.',
  },
];

const isWithin = (folder: string, file: string): boolean =>
  !path.relative(path.resolve(folder), path.resolve(file)).startsWith('..');

/** Refuses a data folder of another environment. */
export function checkDataFolder(
  reader: Reader,
  { environment, dataDir }: { environment: Environment; dataDir: string },
): void {
  const keyFile = reader.text('LATCHKEY_MASTER_KEY_FILE');
  if (environment === 'live' && keyFile !== null && isWithin(dataDir, keyFile)) {
    reader.wrong('LATCHKEY_MASTER_KEY_FILE', 'must not be in the data folder in live.');
  }
  for (const { file, refusedIn, why } of foreignFiles) {
    const found = path.resolve(file(dataDir));
    if (refusedIn.includes(environment) && existsSync(found))
      reader.problems.push(`${found} ${why}`);
  }
}
