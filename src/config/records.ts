import { hostOf } from '../platform/sending/host.ts';
import { loopback, type Reader } from './reader.ts';

/** The operator's own system that every reservation is posted to. */
export interface RecordsReceiver {
  url: URL;
  /** The secrets that sign each request, `whsec_…`. */
  secrets: readonly string[];
}

const webhookSecret = /^whsec_(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function urlOf(reader: Reader, text: string, loopbackAllowed: boolean): URL | null {
  const url = URL.parse(text);
  const isPlain = url?.protocol === 'http:' && loopback.has(hostOf(url)) && loopbackAllowed;
  const isSafe = url?.protocol === 'https:' || isPlain;
  if (url && isSafe && url.username === '' && url.password === '') return url;
  reader.wrong(
    'LATCHKEY_RECORDS_URL',
    loopbackAllowed
      ? 'must be an https URL without user, or an http URL of this machine.'
      : 'must be an https URL without user.',
  );
  return null;
}

/**
 * Reads where reservations are posted, both variables or none. Null: nowhere.
 *
 * @param loopbackAllowed whether it may be on this machine with plain HTTP
 */
export function recordsOf(reader: Reader, loopbackAllowed: boolean): RecordsReceiver | null {
  const text = reader.text('LATCHKEY_RECORDS_URL');
  const secrets = reader.text('LATCHKEY_RECORDS_SECRET')?.split(/\s+/);
  if (secrets && !secrets.every((secret) => webhookSecret.test(secret))) {
    reader.wrong(
      'LATCHKEY_RECORDS_SECRET',
      'must be whsec_ and at least 24 bytes in base64; a space separates two during a change.',
    );
  }
  if (text && !secrets) {
    reader.wrong('LATCHKEY_RECORDS_SECRET', 'is required beside LATCHKEY_RECORDS_URL.');
  }
  if (secrets && !text) {
    reader.wrong('LATCHKEY_RECORDS_URL', 'is required beside LATCHKEY_RECORDS_SECRET.');
  }
  const url = text && urlOf(reader, text, loopbackAllowed);
  return url && secrets ? { url, secrets } : null;
}
