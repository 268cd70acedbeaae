import type { ChangeRequest as RequestOnWire } from '../../contract/partner/schemas/change-request.ts';
import { instant } from '../../contract/time.ts';
import type { ChangeRequest } from '../rules/change-request.ts';

/** The wire form of a request for a change. Spec: CHANGE-2. */
export const changeRequestView = (request: ChangeRequest): RequestOnWire => ({
  changeRequestId: request.changeRequestId,
  reference: request.reference,
  kind: request.kind,
  checkIn: request.checkIn,
  checkOut: request.checkOut,
  party: request.party,
  note: request.note,
  state: request.state,
  preview: request.preview,
  reason: request.reason,
  createdAt: instant(request.createdAt),
  decidedAt: instant(request.decidedAt),
});
