import type { Environment } from '../contract/wire.ts';
import type { BucketSettings } from '../platform/file-storage/bucket.ts';
import { isPlainUrl, isSafeUrl, type Reader } from './reader.ts';

const required = [
  'LATCHKEY_PICTURES_URL',
  'LATCHKEY_PICTURES_KEY_ID',
  'LATCHKEY_PICTURES_SECRET_KEY',
] as const;
const names = [...required, 'LATCHKEY_PICTURES_REGION'] as const;

const isBucketUrl = (text: string, environment: Environment): boolean =>
  isPlainUrl(text) && isSafeUrl(URL.parse(text), environment);

/** Reads the settings of the bucket of uploaded pictures. Null: they are stored in the data folder. */
export function pictureBucketOf(reader: Reader, environment: Environment): BucketSettings | null {
  const first = names.find((name) => reader.text(name) !== null);
  if (first === undefined) return null;
  for (const name of required) {
    if (reader.text(name) === null) reader.wrong(name, `is required beside ${first}.`);
  }
  const [url = '', keyId = '', secretKey = ''] = required.map((name) => reader.text(name) ?? '');
  if (url !== '' && !isBucketUrl(url, environment)) {
    const exception = environment === 'live' ? '' : ', or an http URL of this machine';
    reader.wrong('LATCHKEY_PICTURES_URL', `must be an https URL of a bucket${exception}.`);
  }
  const region = reader.textOr('LATCHKEY_PICTURES_REGION');
  return { url: url.replace(/\/+$/, ''), region, keyId, secretKey };
}
