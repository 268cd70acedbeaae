import { createHash } from 'node:crypto';

/** The UUID of a part of the catalog: always the same for the same words (UUIDv8 over SHA-256). */
export function identityOf(kind: 'collection' | 'listing', slug: string): string {
  const bytes = createHash('sha256').update(`latchkey simulation ${kind} ${slug}`).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `${parts.join('-')}-${hex.slice(20, 32)}`;
}
