/** The operation table of the operator's API. Each subject has a file in `operations`. */
import { completeRows } from '../complete-rows.ts';
import type { ReplyOfRow, StaticOf } from '../rows.ts';
import { applicationRows } from './operations/applications.ts';
import { attentionRows } from './operations/attention.ts';
import { auditRows } from './operations/audit.ts';
import { changeRequestRows } from './operations/change-requests.ts';
import { checkoutRows } from './operations/checkouts.ts';
import { funnelRows } from './operations/funnel.ts';
import { guestRows } from './operations/guests.ts';
import { overviewRows } from './operations/overview.ts';
import { paymentRows } from './operations/payments.ts';
import { reservationRows } from './operations/reservations.ts';
import { clockRows } from './operations/clock.ts';
import { restoreRows } from './operations/restores.ts';
import { calendarRows } from './operations/calendar.ts';
import { catalogRows } from './operations/catalogs.ts';
import { inventoryRows } from './operations/inventory.ts';
import { outsideStayRows } from './operations/outside-stays.ts';
import { listingRows } from './operations/listings.ts';
import { pictureRows } from './operations/pictures.ts';
import { sessionRows } from './operations/session.ts';
import { searchRows } from './operations/search.ts';
import { settingsRows } from './operations/settings.ts';
import { requestRows } from './operations/requests.ts';
import { statementRows } from './operations/statements.ts';
import { staffRows, tokenRows } from './operations/staff.ts';
import { webhookRows } from './operations/webhooks.ts';
import { operatorPathMembers } from './paths.ts';
import { withPreviews } from './previews.ts';
import type { OperatorRow } from './row.ts';

const rows = completeRows(operatorPathMembers, {
  ...sessionRows,
  ...staffRows,
  ...tokenRows,
  ...settingsRows,
  ...auditRows,
  ...applicationRows,
  ...statementRows,
  ...webhookRows,
  ...requestRows,
  ...searchRows,
  ...overviewRows,
  ...attentionRows,
  ...funnelRows,
  ...reservationRows,
  ...guestRows,
  ...changeRequestRows,
  ...checkoutRows,
  ...paymentRows,
  ...clockRows,
  ...restoreRows,
  ...calendarRows,
  ...listingRows,
  ...pictureRows,
  ...inventoryRows,
  ...outsideStayRows,
  ...catalogRows,
}) satisfies Record<string, OperatorRow>;

export const operatorOperations = withPreviews(rows);

export type OperatorOperationId = keyof typeof operatorOperations;
/** The operations that have a command. */
export type CommandId = {
  [Id in OperatorOperationId]: (typeof operatorOperations)[Id] extends { command: object }
    ? Id
    : never;
}[OperatorOperationId];

type RowOf<Id extends OperatorOperationId> = (typeof operatorOperations)[Id];

/** Every operation, in the order of the table. */
export const operatorOperationIds = Object.keys(operatorOperations) as OperatorOperationId[];

/** The row of an operation, without its literal types. */
export const operatorRowOf = (id: OperatorOperationId): OperatorRow => operatorOperations[id];

export type OperatorParamsOf<Id extends OperatorOperationId> = StaticOf<RowOf<Id>, 'params'>;
export type OperatorQueryOf<Id extends OperatorOperationId> = StaticOf<RowOf<Id>, 'query'>;
export type OperatorBodyOf<Id extends OperatorOperationId> = StaticOf<RowOf<Id>, 'body'>;

/** Status and body of a successful response. */
export type OperatorReplyOf<Id extends OperatorOperationId> = ReplyOfRow<RowOf<Id>>;
