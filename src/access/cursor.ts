import { timingSafeEqual } from 'node:crypto';
import { refuse, type Refusal } from '../contract/errors.ts';
import type { OperationId } from '../contract/partner/operations.ts';
import type { PortalOperationId } from '../contract/portal/operations.ts';
import type { SandboxOperationId } from '../contract/sandbox/operations.ts';
import type { Vault, VaultKey } from '../platform/vault.ts';
import { derivedByKey } from './derived-by-key.ts';

/** The lists of staff that have pages. */
export type StaffList =
  | 'staff.application.list'
  | 'staff.token.list'
  | 'staff.reservation.list'
  | 'staff.checkout.list'
  | 'staff.audit.list'
  | 'staff.payment.list'
  | 'staff.block.list'
  | 'staff.outside.list'
  | 'staff.withdrawn.list'
  | 'staff.delivery.list'
  | 'staff.request.list'
  | 'staff.promotion.list'
  | 'staff.change.list'
  | 'staff.changeRequest.list';

/** The list that a cursor is bound to. Spec: CALL-14. */
export interface CursorOwner {
  operation: OperationId | PortalOperationId | SandboxOperationId | StaffList;
  /** Null: a list of staff, which no application owns. */
  applicationId: string | null;
  /** The requested filters of the list, without the page size. */
  filters: Record<string, unknown>;
}

const macBytes = 16;

// A page is often read again, and the call for the next page has its cursor.
const cursorsKept = 1_000;

/** The owner of a cursor and its position, as they are authenticated. */
const boundText = ({ operation, applicationId, filters }: CursorOwner, position: string): string =>
  JSON.stringify([operation, applicationId, filters, position]);

const cursorOf = derivedByKey(cursorsKept, (key, text) => {
  const mac = key.mac('cursor', text).subarray(0, macBytes);
  const [, , , position] = JSON.parse(text) as [unknown, unknown, unknown, string];
  return Buffer.concat([mac, Buffer.from(position)]).toString('base64url');
});

/** Creates a cursor for a position in a list. */
export const writeCursor = (vault: Vault, owner: CursorOwner, position: string): string =>
  cursorOf(vault.keys[0]!, boundText(owner, position));

/** What is wrong with a cursor that was not issued for this list. */
export const foreignCursor = 'is not a cursor of this list with these filters';

const isCursor = (key: VaultKey, text: string, given: Buffer): boolean => {
  const right = Buffer.from(cursorOf(key, text));
  return given.length === right.length && timingSafeEqual(given, right);
};

/** Returns the position of a cursor, whichever master key it has. Null: it was not issued for this list. */
export function positionOf(vault: Vault, owner: CursorOwner, cursor: string): string | null {
  const position = Buffer.from(cursor, 'base64url').subarray(macBytes).toString();
  const text = boundText(owner, position);
  const given = Buffer.from(cursor);
  return vault.keys.some((key) => isCursor(key, text, given)) ? position : null;
}

/** Returns the position of a cursor. Refuses one that was not issued for this list. */
export const readCursor = (
  vault: Vault,
  owner: CursorOwner,
  cursor: string,
  path: string,
): string | Refusal<'invalid_input'> =>
  positionOf(vault, owner, cursor) ??
  refuse('invalid_input', { fields: [{ path, message: foreignCursor }] });
