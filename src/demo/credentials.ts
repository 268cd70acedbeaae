import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Settlement } from '../contract/wire.ts';
import { DemoFailure } from './failure.ts';

/** What an application signs in with. */
export interface ApplicationKey {
  applicationId: string;
  applicationKey: string;
}

/** An application in the credentials file of the simulation. */
interface Credentials extends ApplicationKey {
  name: string;
  settlement: Settlement;
}

interface CredentialsFile {
  baseUrl: string;
  applications: Credentials[];
}

/**
 * The application that the environment names, for a service with the operator's own homes. Null: it names none.
 * Throws `DemoFailure` if its key is missing.
 */
export function namedApplication(
  env: NodeJS.ProcessEnv,
): { baseUrl: string; application: ApplicationKey } | null {
  const applicationId = env['APPLICATION_ID']?.trim();
  const applicationKey = env['APPLICATION_KEY']?.trim();
  if (!applicationId) return null;
  if (!applicationKey) throw new DemoFailure('APPLICATION_KEY is required beside APPLICATION_ID.');
  const baseUrl = env['BASE_URL']?.trim() || `http://localhost:${env['PORT']?.trim() || '8080'}`;
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    application: { applicationId, applicationKey },
  };
}

/** The path of the credentials file that the service writes at its start. */
export const credentialsPath = (env: NodeJS.ProcessEnv): string =>
  path.join(env['LATCHKEY_DATA_DIR']?.trim() || '.latchkey', 'sandbox-credentials.json');

function parsed(text: string): CredentialsFile | null {
  try {
    const content = JSON.parse(text) as Partial<CredentialsFile> | null;
    return content?.baseUrl && content.applications ? (content as CredentialsFile) : null;
  } catch {
    return null;
  }
}

/** Reads the base URL and one application per settlement. Throws `DemoFailure`. */
export async function readCredentials(
  file: string,
): Promise<{ baseUrl: string } & Record<Settlement, Credentials>> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const problem = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`;
    throw new DemoFailure(
      `The credentials file ${file} ${problem}: run "npm start" first, with the same LATCHKEY_DATA_DIR. In the environment test, set APPLICATION_ID and APPLICATION_KEY instead.`,
    );
  });
  const content = parsed(text);
  const card = content?.applications.find(({ settlement }) => settlement === 'card');
  const partner = content?.applications.find(({ settlement }) => settlement === 'partner');
  if (!content || !card || !partner) {
    throw new DemoFailure(
      `${file} does not hold the two applications of the simulation: remove it and run "npm start" again.`,
    );
  }
  return { baseUrl: content.baseUrl, card, partner };
}
