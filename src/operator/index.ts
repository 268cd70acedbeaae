import type { Operation } from '../api/operation.ts';
import type { CommandId, OperatorOperationId } from '../contract/operator/operations.ts';
import { auditActs, keyActs, signingKeyActs } from '../access/index.ts';
import { attentionActs } from '../attention/index.ts';
import { moneyActs, restoreActs } from '../payments/index.ts';
import {
  changeRequestActs,
  checkoutActs,
  reservationActs,
  statementActs,
} from '../bookings/index.ts';
import { homeActs, pictureActs, promotionActs, rateActs } from '../catalog/index.ts';
import { calendarActs, calendarListActs, outsideStayActs } from '../channels/index.ts';
import { boundWithPreviews } from '../api/staff-acts.ts';
import { blockActs, changeActs } from '../inventory/index.ts';
import { requestActs } from '../request-log/index.ts';
import { funnelActs } from '../signals/index.ts';
import { sessionOperations, staffMemberActs, tokenActs } from '../sign-in/index.ts';
import { webhookActs } from '../webhooks/index.ts';
import type { CommandLineContext, OperatorContext } from './context.ts';
import { applicationActs } from './staff/applications.ts';
import { nightActs } from './staff/calendar.ts';
import { catalogActs } from './staff/catalogs.ts';
import { clockActs } from './staff/clock.ts';
import { conflictActs } from './staff/conflicts.ts';
import { freeHomeActs } from './staff/free-homes.ts';
import { guestActs } from './staff/guests.ts';
import { newReservationActs } from './staff/new-reservation.ts';
import { overviewActs } from './staff/overview.ts';
import { searchActs } from './staff/search.ts';
import { settingsActs } from './staff/settings.ts';

export { repeatErasures } from './repeat-erasures.ts';
export { createOnce } from './create-once.ts';
export { retireMasterKeys, rotateMasterKey, showMasterKeys } from './master-key.ts';
export { announceChanges } from './announce-changes.ts';
export type { CommandLineContext, OperatorContext } from './context.ts';

/** The operation of each row of the operator's table. A missing one does not compile. */
export const operatorOperations: {
  readonly [Id in OperatorOperationId]: Operation<
    Id,
    Id extends CommandId ? CommandLineContext : OperatorContext
  >;
} = boundWithPreviews({
  ...sessionOperations,
  ...staffMemberActs,
  ...tokenActs,
  ...settingsActs,
  ...auditActs,
  ...attentionActs,
  ...moneyActs,
  ...applicationActs,
  ...keyActs,
  ...reservationActs,
  ...newReservationActs,
  ...freeHomeActs,
  ...changeRequestActs,
  ...checkoutActs,
  ...guestActs,
  ...statementActs,
  ...signingKeyActs,
  ...clockActs,
  ...restoreActs,
  ...webhookActs,
  ...requestActs,
  ...searchActs,
  ...overviewActs,
  ...funnelActs,
  ...nightActs,
  ...homeActs,
  ...pictureActs,
  ...rateActs,
  ...changeActs,
  ...blockActs,
  ...calendarActs,
  ...calendarListActs,
  ...outsideStayActs,
  ...conflictActs,
  ...catalogActs,
  ...promotionActs,
});
