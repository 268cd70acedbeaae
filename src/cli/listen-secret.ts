/** The secret that signs the requests of `webhook listen`. */
import path from 'node:path';
import { newWebhookSecret } from '../platform/sending/signature.ts';
import type { Refusal } from '../contract/errors.ts';
import { refuseConflict } from '../contract/operator/errors.ts';
import { makeSecretFile, readSecretFile } from '../platform/secret-file.ts';

/** A secret and its file. */
export interface ListenSecret {
  secret: string;
  file: string;
}

/** Reads or creates the application's secret in the data folder. */
export async function listenSecret(
  dataDir: string,
  applicationId: string,
): Promise<ListenSecret | Refusal<'conflict'>> {
  const file = path.resolve(dataDir, 'webhook-listen', `${applicationId}.secret`);
  try {
    const kept = await readSecretFile(file);
    if (kept === null) await makeSecretFile(file, `${newWebhookSecret()}\n`);
    const secret = (kept ?? (await readSecretFile(file)) ?? '').trim();
    if (/^whsec_[\w+/=]+$/.test(secret)) return { secret, file };
  } catch (error) {
    return refuseConflict(`${file} cannot be used: ${(error as Error).message}`);
  }
  return refuseConflict(
    `${file} contains no webhook secret: remove it, and the next run creates one.`,
  );
}
