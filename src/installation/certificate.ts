import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';

/** The certificate chain of the service and its private key, both in PEM. */
export interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/** The certificate files cannot be used. The message says which, and why. */
export class CertificateError extends Error {}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CertificateError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

/** Reads a certificate and its key, and checks that they belong together. Throws `CertificateError`. */
export function readCertificate(files: { certFile: string; keyFile: string }): Certificate {
  const certificate = { cert: contentOf(files.certFile), key: contentOf(files.keyFile) };
  try {
    createSecureContext(certificate);
    return certificate;
  } catch (error) {
    throw new CertificateError(
      `${files.certFile} and ${files.keyFile} are not a certificate and its key in PEM: ${(error as Error).message}.`,
    );
  }
}
