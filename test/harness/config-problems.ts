/** Settings for tests of the configuration, and what is wrong with some. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { ConfigError, readConfig, type Config } from '../../src/config/config.ts';

const fixtures = path.join(import.meta.dirname, '../fixtures/tls');

/** A certificate of this machine. */
export const tls = {
  LATCHKEY_TLS_CERT_FILE: path.join(fixtures, 'localhost.crt'),
  LATCHKEY_TLS_KEY_FILE: path.join(fixtures, 'localhost.key'),
};

/** A proxy that ends TLS. */
export const proxy = { LATCHKEY_TRUSTED_PROXY: '10.0.0.0/8' };

/** A master key. */
export const key = Buffer.alloc(32, 1);

/** A secret with which webhooks and records are signed. */
export const secret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;

/** Where reservations are posted. */
export const records = {
  LATCHKEY_RECORDS_URL: 'https://records.example/reservations?of=latchkey',
  LATCHKEY_RECORDS_SECRET: secret,
};

/** Where pictures are stored. */
export const bucket = {
  LATCHKEY_PICTURES_URL: 'https://bucket.s3.example/homes',
  LATCHKEY_PICTURES_KEY_ID: 'id',
  LATCHKEY_PICTURES_SECRET_KEY: 'hush',
};

/** What is wrong with an environment; nothing: an empty list. */
export function problems(
  env: NodeJS.ProcessEnv,
  read: (env: NodeJS.ProcessEnv) => Config = readConfig,
): readonly string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.problems;
  }
}
