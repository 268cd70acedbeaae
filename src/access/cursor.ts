import { timingSafeEqual } from 'node:crypto';
import { RefusalError, refuse } from '../contract/errors.ts';
import type { OperationId } from '../contract/partner/operations.ts';
import type { PortalOperationId } from '../contract/portal/operations.ts';
import type { Vault } from '../platform/vault.ts';
import { derivedByVault } from './derived-by-vault.ts';

/** The lists of staff that have pages. */
export type StaffList =
  | 'staff.reservation.list'
  | 'staff.checkout.list'
  | 'staff.audit.list'
  | 'staff.payment.list'
  | 'staff.block.list'
  | 'staff.withdrawn.list'
  | 'staff.delivery.list'
  | 'staff.request.list'
  | 'staff.promotion.list';

/** The list that a cursor is bound to. Spec: Limits, Cursor. */
export interface CursorOwner {
  operation: OperationId | PortalOperationId | StaffList;
  /** Null: a list of staff, which no application owns. */
  applicationId: string | null;
  /** The requested filters of the list, without the page size. */
  filters: Record<string, unknown>;
}

const macBytes = 16;

// A page is often read again, and its cursor comes back with the next one.
const macsKept = 1_000;

const macWith = derivedByVault(macsKept, (vault, text) =>
  vault.mac('cursor', text).subarray(0, macBytes),
);

function macOf(vault: Vault, owner: CursorOwner, position: string): Buffer {
  const { operation, applicationId, filters } = owner;
  return macWith(vault, JSON.stringify([operation, applicationId, filters, position]));
}

/** Creates a cursor for a position in a list. */
export const writeCursor = (vault: Vault, owner: CursorOwner, position: string): string =>
  Buffer.concat([macOf(vault, owner, position), Buffer.from(position)]).toString('base64url');

/** Returns the position of a cursor. Throws `invalid_input` if it was not issued for this list. */
export function readCursor(vault: Vault, owner: CursorOwner, cursor: string, path: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.subarray(macBytes).toString();
  const mac = bytes.subarray(0, macBytes);
  const right = macOf(vault, owner, position);
  const ours =
    bytes.toString('base64url') === cursor &&
    mac.length === right.length &&
    timingSafeEqual(mac, right);
  if (!ours) {
    const message = 'is not a cursor of this list with these filters';
    throw new RefusalError(refuse('invalid_input', { fields: [{ path, message }] }));
  }
  return position;
}
