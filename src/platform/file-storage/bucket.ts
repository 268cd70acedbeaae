import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { type FileStorage, StorageError } from './file-storage.ts';

/** A bucket of a storage that is compatible with S3. */
export interface BucketSettings {
  /** Of the bucket, perhaps with the prefix of its names; without a trailing slash. */
  url: string;
  region: string;
  keyId: string;
  secretKey: string;
}

const timeoutMs = 10_000;
// A slow caller may read for long.
const longestReadMs = 60_000;
const noFile: ReadonlySet<number> = new Set([404]);

const digestOf = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('hex');

/** The length of the content; null if the response does not name it, or names that of a compressed one. */
function sizeOf({ headers }: Response): number | null {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? null : Number(length);
}

/** Stores files in a bucket. Requests are signed with version 4 of the signature of AWS, their bodies included. */
export function bucketStorage({ url, region, keyId, secretKey }: BucketSettings): FileStorage {
  const client = new AwsClient({
    accessKeyId: keyId,
    secretAccessKey: secretKey,
    service: 's3',
    region,
    retries: 0,
  });
  const { host } = new URL(url);

  async function send(
    method: string,
    name: string,
    { body, headers, ms = timeoutMs }: { body?: Buffer; headers?: object; ms?: number } = {},
  ): Promise<Response> {
    const signed = await client.sign(`${url}/${name}`, {
      method,
      headers: { ...headers, 'x-amz-content-sha256': digestOf(body ?? '') },
      ...(body && { body: new Uint8Array(body) }),
    });
    const response = await fetch(signed, {
      redirect: 'error',
      signal: AbortSignal.timeout(ms),
    }).catch((error: unknown) => {
      throw new StorageError(`the storage ${host} cannot be reached`, error);
    });
    if (response.ok || noFile.has(response.status)) return response;
    const text = await response.text().catch(() => '');
    const [, code = 'no code'] = /<Code>(\w{1,60})<\/Code>/.exec(text) ?? [];
    throw new StorageError(
      `the storage ${host} answered ${method} with ${response.status}, ${code}`,
    );
  }

  return {
    async write(name, body, mediaType) {
      const { status } = await send('PUT', name, { body, headers: { 'content-type': mediaType } });
      if (noFile.has(status)) throw new StorageError(`the storage ${host} has no such bucket`);
    },
    async read(name) {
      const response = await send('GET', name, { ms: longestReadMs });
      if (noFile.has(response.status) || response.body === null) {
        await response.body?.cancel();
        return null;
      }
      return { size: sizeOf(response), content: Readable.fromWeb(response.body as ReadableStream) };
    },
    async remove(name) {
      const response = await send('DELETE', name);
      await response.body?.cancel();
    },
    // A bucket keeps no part of a file.
    removeParts: () => Promise.resolve(),
  };
}
