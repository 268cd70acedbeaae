/** Which coding a response has, by what its caller accepts, and its bytes in it. */
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Row } from '../contract/rows.ts';
import { gzipped } from '../platform/gzip-pieces.ts';

/** The codings of responses. */
export type Coding = 'gzip' | 'br';

const live: readonly Coding[] = ['gzip'];
const lasting: readonly Coding[] = ['br', 'gzip'];
const none: readonly Coding[] = [];

/**
 * The codings that a row offers, the one that is preferred first. What changes with every call is compressed for one
 * caller only. `If-Match` takes a strong tag, and a compressed response has none. Spec: CALL-19.
 */
export function codingsOf({ etag }: Row): readonly Coding[] {
  if (etag === 'show') return none;
  return etag === 'revalidate' ? lasting : live;
}

const part = /^\s*([^\s;]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/** The weights of the codings that a header names. What cannot be read is not accepted. */
function weightsOf(accepted: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const text of accepted.split(',')) {
    const [, name, weight = '1'] = part.exec(text) ?? [];
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight));
  }
  return weights;
}

/** The coding that a caller likes most, of those that are offered; null: none. Among equals the first one. */
export function codingFor(accepted: string | undefined, offered: readonly Coding[]): Coding | null {
  if (accepted === undefined || offered.length === 0) return null;
  const weights = weightsOf(accepted);
  let best: { coding: Coding; weight: number } | null = null;
  for (const coding of offered) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight > (best?.weight ?? 0)) best = { coding, weight };
  }
  return best?.coding ?? null;
}

// Smaller and as fast as the higher levels of gzip.
const brotliParameters = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
// What is made for one caller: higher levels take twice the time for a fifth less bytes.
const gzipLevel = 3;

const brotliOf = new WeakMap<Buffer, Buffer>();

const brotli = (bytes: Buffer): Buffer => brotliCompressSync(bytes, brotliParameters);

function lastingBrotli(pieces: readonly Buffer[]): Buffer {
  const [only, ...others] = pieces;
  return only && others.length === 0
    ? brotliOf.getOrInsertComputed(only, brotli)
    : brotli(Buffer.concat(pieces));
}

/** The content in a coding. Bytes that were sent before are not compressed again. */
export function compressed(coding: Coding, content: readonly Buffer[] | string): Buffer {
  const isText = typeof content === 'string';
  if (coding === 'br') return isText ? brotli(Buffer.from(content)) : lastingBrotli(content);
  return isText ? gzipSync(content, { level: gzipLevel }) : gzipped(content);
}
