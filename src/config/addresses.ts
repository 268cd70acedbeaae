import { isIP } from 'node:net';
import {
  type Certificate,
  CertificateError,
  readCertificate,
} from '../installation/certificate.ts';
import type { Environment } from '../contract/wire.ts';
import { isPlainUrl, loopback, type Reader } from './reader.ts';

/** Where the service listens, and how it is reached. */
export interface Addresses {
  host: string;
  port: number;
  /** Without a trailing slash. */
  baseUrl: string;
  /** The maximum number of open connections at the HTTP server. */
  httpConnections: number;
  tls: { certFile: string; keyFile: string } | null;
  trustedProxy: string | null;
}

type TlsFiles = Addresses['tls'];

interface Served extends Addresses {
  environment: Environment;
  roles: readonly string[];
}

function baseUrlOf(reader: Reader, port: number, tls: TlsFiles): string {
  const text = reader.text('BASE_URL');
  if (text === null) return `${tls ? 'https' : 'http'}://localhost:${port}`;
  if (!isPlainUrl(text)) {
    reader.wrong('BASE_URL', 'must be an http or https URL without query, fragment or user.');
  } else if (tls && URL.parse(text)?.protocol !== 'https:') {
    reader.wrong('BASE_URL', 'must be https where LATCHKEY_TLS_CERT_FILE is set.');
  }
  // Scheme and host are the same in capitals; everything compares them as they are here.
  const lower = text.replace(/^[^:]*:\/\/[^/]*/, (start) => start.toLowerCase());
  return lower.replace(/\/+$/, '');
}

function tlsOf(reader: Reader): TlsFiles {
  const certFile = reader.text('LATCHKEY_TLS_CERT_FILE');
  const keyFile = reader.text('LATCHKEY_TLS_KEY_FILE');
  if (certFile && keyFile) return { certFile, keyFile };
  if (certFile) reader.wrong('LATCHKEY_TLS_KEY_FILE', 'is required beside LATCHKEY_TLS_CERT_FILE.');
  if (keyFile) reader.wrong('LATCHKEY_TLS_CERT_FILE', 'is required beside LATCHKEY_TLS_KEY_FILE.');
  return null;
}

const isAddressOrRange = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.trim().split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  const bitsFit = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
  return isIP(address) !== 0 && bitsFit && rest.length === 0;
};

function trustedProxyOf(reader: Reader): string | null {
  const text = reader.text('LATCHKEY_TRUSTED_PROXY');
  if (text !== null && !text.split(',').every(isAddressOrRange)) {
    reader.wrong('LATCHKEY_TRUSTED_PROXY', 'must name IP addresses or ranges, as 10.0.0.0/8.');
  }
  return text;
}

/** Reads where the service listens, and how it is reached. */
export function addressesOf(reader: Reader): Addresses {
  const port = reader.integer('PORT');
  const tls = tlsOf(reader);
  return {
    host: reader.textOr('LATCHKEY_HOST'),
    port,
    baseUrl: baseUrlOf(reader, port, tls),
    httpConnections: reader.integer('LATCHKEY_HTTP_CONNECTIONS'),
    tls,
    trustedProxy: trustedProxyOf(reader),
  };
}

const transportRemedy =
  'set LATCHKEY_TLS_CERT_FILE and LATCHKEY_TLS_KEY_FILE, or name the proxy that ends TLS in LATCHKEY_TRUSTED_PROXY';

/** Allows plain HTTP only on loopback, and never in `live`. Spec: ENVIRONMENT-2. */
export function checkTransport(reader: Reader, served: Served): void {
  if (served.tls || served.trustedProxy || !served.roles.includes('api')) return;
  if (served.environment === 'live') {
    reader.problems.push(`live is not served over plain HTTP: ${transportRemedy}.`);
  } else if (!loopback.has(served.host)) {
    reader.wrong(
      'LATCHKEY_HOST',
      `is not loopback, and plain HTTP leaves this machine: ${transportRemedy}.`,
    );
  }
}

/** In `live` the address that partners use is given, and encrypted. */
export function checkLiveBaseUrl(reader: Reader, { environment, baseUrl }: Served): void {
  if (environment !== 'live') return;
  if (reader.text('BASE_URL') === null) reader.wrong('BASE_URL', 'is required in live.');
  else if (baseUrl.startsWith('http:')) reader.wrong('BASE_URL', 'must be https in live.');
}

/** Reads the certificate files of a process that serves calls. Null: plain HTTP. */
export function certificateOf(reader: Reader, { tls, roles }: Served): Certificate | null {
  if (!tls || !roles.includes('api')) return null;
  try {
    return readCertificate(tls);
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    reader.problems.push(error.message);
    return null;
  }
}
