import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../contract/wire.ts';
import { credentialsFile } from '../installation/credentials-file.ts';
import { masterKeyFile } from '../installation/master-key.ts';
import type { Reader } from './reader.ts';

/** Reads the master key. Null: it is created and stored in the data folder. Never null in `live`. */
export function masterKeyOf(reader: Reader, environment: Environment): Buffer | null {
  const text = reader.text('LATCHKEY_MASTER_KEY');
  if (text === null) {
    if (environment === 'live') {
      reader.wrong(
        'LATCHKEY_MASTER_KEY',
        'is required in live: a key in the data folder would lie next to the data that it seals.',
      );
    }
    return null;
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) reader.wrong('LATCHKEY_MASTER_KEY', 'must be 32 bytes in base64.');
  return key;
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

/** Refuses a data folder of another environment. */
export function checkDataFolder(
  reader: Reader,
  { environment, dataDir }: { environment: Environment; dataDir: string },
): void {
  for (const { file, refusedIn, why } of foreignFiles) {
    const found = path.resolve(file(dataDir));
    if (refusedIn.includes(environment) && existsSync(found))
      reader.problems.push(`${found} ${why}`);
  }
}
