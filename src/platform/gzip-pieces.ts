/**
 * gzip of bytes that come in pieces. A piece that is sent again and again is compressed once: its part of the deflate
 * stream refers to nothing before it and ends at a byte, so the parts of any pieces can follow each other.
 */
import { constants, crc32, deflateRawSync } from 'node:zlib';

// No name, no time, an unknown system.
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty last block. */
const lastBlock = Buffer.from([3, 0]);

// Below that, compressing saves less than it costs.
const leastBytes = 256;
const mostStored = 0xff_ff;

/** Bytes as a part of a stream. */
interface Part {
  blocks: Buffer;
  /** The checksum of the bytes. */
  crc: number;
}

const parts = new WeakMap<Buffer, Part>();

/** Blocks with the bytes as they are. */
function stored(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += mostStored) {
    const block = bytes.subarray(at, at + mostStored);
    const header = Buffer.alloc(5);
    header.writeUInt16LE(block.length, 1);
    header.writeUInt16LE(~block.length & mostStored, 3);
    blocks.push(header, block);
  }
  return blocks;
}

const deflated = (bytes: Buffer): Buffer =>
  deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH });

const newPart = (bytes: Buffer): Part => ({ blocks: deflated(bytes), crc: crc32(bytes) });

const partOf = (bytes: Buffer): Part => parts.getOrInsertComputed(bytes, newPart);

const composed = new WeakMap<Buffer, () => readonly Buffer[]>();

/**
 * Says that bytes were written from pieces and are sent once: if they are compressed, their pieces are instead of
 * them. Returns the bytes.
 */
export function writtenFrom(bytes: Buffer, pieces: () => readonly Buffer[]): Buffer {
  composed.set(bytes, pieces);
  return bytes;
}

// A few bytes are sent once.
const blocksOf = (piece: Buffer): Buffer[] =>
  piece.length < leastBytes ? stored(piece) : [partOf(piece).blocks];

const flat = (piece: Buffer): readonly Buffer[] => composed.get(piece)?.() ?? [piece];

/** The bytes of pieces, compressed. */
export function gzipped(pieces: readonly Buffer[]): Buffer {
  const blocks = pieces.flatMap(flat).flatMap(blocksOf);
  const trailer = Buffer.alloc(8);
  let crc = 0;
  let length = 0;
  for (const [at, piece] of pieces.entries()) {
    crc = (at === 0 ? parts.get(piece)?.crc : undefined) ?? crc32(piece, crc);
    length += piece.length;
  }
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(length >>> 0, 4);
  return Buffer.concat([head, ...blocks, lastBlock, trailer]);
}
