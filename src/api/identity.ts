import { createHash } from 'node:crypto';
import { uuidOfHex } from '../platform/uuid.ts';

/** JSON that is equal for equivalent inputs: members are sorted, undefined members are left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join()}}`;
}

/** The ID derived from an `Idempotency-Key`: an RFC 9562 UUIDv8 over SHA-256. Spec: REPEAT-4. */
export function idFromKey(applicationId: string, operation: string, key: string): string {
  const bytes = createHash('sha256')
    .update(`${applicationId}\n${operation}\n${key}`)
    .digest()
    .subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return uuidOfHex(bytes.toString('hex'));
}
