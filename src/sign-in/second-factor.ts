/** The second factor of a member: its sealed secret, and codes that count once. */
import { randomBytes } from 'node:crypto';
import type { Executor } from '../platform/postgres/database.ts';
import type { SealedColumn } from '../platform/postgres/sealed-columns.ts';
import type { Vault } from '../platform/vault.ts';
import { stepOfCode } from './one-time-code.ts';
import { type Member, useCodeStep } from './store/members.ts';

const secretBytes = 20;
const contextOf = (staffId: string): string => `second factor ${staffId}`;

/** Makes a new secret. */
export function newFactor(vault: Vault, staffId: string): { secret: Buffer; sealed: Buffer } {
  const secret = randomBytes(secretBytes);
  const sealed = vault.seal('staff', secret.toString('base64url'), contextOf(staffId));
  return { secret, sealed };
}

const opened = (vault: Vault, staffId: string, sealed: Buffer): Buffer =>
  Buffer.from(vault.open('staff', sealed, contextOf(staffId)), 'base64url');

/** Uses up a code of a member's second factor. False: it is wrong, or was used before. */
export async function useCode(
  executor: Executor,
  { staffId, secondFactor, now }: Pick<Member, 'staffId' | 'secondFactor' | 'now'>,
  code: string,
): Promise<boolean> {
  if (secondFactor === null) return false;
  const step = stepOfCode(opened(executor.vault, staffId, secondFactor), code, now);
  return step !== null && useCodeStep(executor, staffId, step);
}

/** The secrets of second factors. */
export const sealedFactors: readonly SealedColumn[] = ['second_factor', 'pending_factor'].map(
  (column) => ({
    table: 'staff_members',
    column,
    purpose: 'staff',
    key: { staff_id: 'uuid' },
    context: ([staffId]) => contextOf(staffId!),
  }),
);
