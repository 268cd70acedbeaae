import { amountRefusal } from '../../access/index.ts';
import { Seen } from '../../api/seen.ts';
import type { Refusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import type { ChangePreview } from '../../contract/partner/schemas/change-request.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { outdatedPart } from '../rules/change-request.ts';

/** A partner's request that a cancellation or change carries out. */
interface AcceptedRequest {
  changeRequestId: string;
  /** What the partner has seen. */
  preview: ChangePreview;
  /** The total that staff have seen; absent: any. */
  expectedTotal?: number | undefined;
  /** Within the transaction of the act: writes that it is accepted. False: it was decided meanwhile. */
  accept(executor: Executor): Promise<boolean>;
}

/** What a decision of staff about a reservation has besides its body. */
export interface StaffDecision {
  reference: string;
  /** The version of the reservation that staff have seen; absent: any. */
  seen?: Seen | undefined;
  /** The partner's request that it carries out; absent: none. */
  request?: AcceptedRequest | undefined;
  /** Only shows what would happen. */
  dryRun?: boolean | undefined;
}

/** Refuses if the total is another than staff have seen. */
export const totalRefusal = (
  expected: number | undefined,
  total: number,
  currency: string,
): Refusal<'precondition_failed'> | null =>
  amountRefusal(new Seen(expected), total, 'The total', currency);

/**
 * Refuses if the act is no longer the one that the partner and staff have seen. `total`: of the stay that staff look
 * at. Spec: CHANGE-3.
 */
export function requestRefusal(
  request: AcceptedRequest | undefined,
  now: Pick<ChangePreview, 'total' | 'refund'>,
  total: number,
): Refusal<'conflict' | 'precondition_failed'> | null {
  if (!request) return null;
  const outdated = outdatedPart(request.preview, now);
  if (outdated !== null) return refuseConflict(outdated);
  return totalRefusal(request.expectedTotal, total, request.preview.currency);
}

/** The refusal of a decision about what is decided. */
export const decidedMeanwhile = refuseConflict('The request was decided meanwhile.');

/** Within the transaction of the act: accepts its request, before the reservation changes and declines what is open. */
export async function acceptFor(
  executor: Executor,
  request: AcceptedRequest | undefined,
): Promise<Refusal<'conflict'> | null> {
  return !request || (await request.accept(executor)) ? null : decidedMeanwhile;
}
