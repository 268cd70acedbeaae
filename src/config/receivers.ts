import { hostOf } from '../platform/sending/host.ts';
import { loopback, type Reader } from './reader.ts';
import type { Setting } from './settings.ts';

/** A system of the operator's that signed requests are posted to. */
export interface Receiver {
  url: URL;
  /** The secrets that sign each request, `whsec_…`. */
  secrets: readonly string[];
}

const webhookSecret = /^whsec_(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function urlOf(
  reader: Reader,
  { name, text }: { name: Setting; text: string },
  loopbackAllowed: boolean,
): URL | null {
  const url = URL.parse(text);
  const isPlain = url?.protocol === 'http:' && loopback.has(hostOf(url)) && loopbackAllowed;
  const isSafe = url?.protocol === 'https:' || isPlain;
  if (url && isSafe && url.username === '' && url.password === '') return url;
  reader.wrong(
    name,
    loopbackAllowed
      ? 'must be an https URL without user, or an http URL of this machine.'
      : 'must be an https URL without user.',
  );
  return null;
}

/**
 * Reads where something is posted, both variables or none. Null: nowhere.
 *
 * @param names the two variables
 * @param loopbackAllowed whether it may be on this machine with plain HTTP
 */
export function receiverOf(
  reader: Reader,
  names: { url: Setting; secret: Setting },
  loopbackAllowed: boolean,
): Receiver | null {
  const { url: urlName, secret: secretName } = names;
  const text = reader.text(urlName);
  const secrets = reader.text(secretName)?.split(/\s+/);
  if (secrets && !secrets.every((secret) => webhookSecret.test(secret))) {
    reader.wrong(
      secretName,
      'must be whsec_ and at least 24 bytes in base64; a space separates two during a change.',
    );
  }
  if (text && !secrets) {
    reader.wrong(secretName, `is required beside ${urlName}.`);
  }
  if (secrets && !text) {
    reader.wrong(urlName, `is required beside ${secretName}.`);
  }
  const url = text && urlOf(reader, { name: urlName, text }, loopbackAllowed);
  return url && secrets ? { url, secrets } : null;
}
