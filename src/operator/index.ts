import type { Operation } from '../api/operation.ts';
import type { CommandId, OperatorOperationId } from '../contract/operator/operations.ts';
import { auditActs, keyActs, signingKeyActs } from '../access/index.ts';
import { attentionActs } from '../attention/index.ts';
import { moneyActs } from '../payments/index.ts';
import { checkoutActs, reservationActs } from '../bookings/index.ts';
import { calendarActs } from '../channels/index.ts';
import { boundWithPreviews } from '../api/staff-acts.ts';
import type { CommandLineContext, OperatorContext } from './context.ts';
import { restoreActs } from '../payments/index.ts';
import { applicationActs } from './staff/applications.ts';
import { getFunnel } from './operations/funnel.ts';
import { getOverview } from './operations/overview.ts';
import { readCalendar } from './operations/calendar.ts';
import * as catalogs from './operations/catalogs.ts';
import * as inventory from './operations/inventory.ts';
import * as listings from './operations/listings.ts';
import * as pictures from './operations/pictures.ts';
import * as session from './operations/session.ts';
import { getRequest, listRequests } from './operations/requests.ts';
import { getSettings } from './operations/settings.ts';
import * as staff from './operations/staff.ts';
import { webhookActs } from '../webhooks/index.ts';

export { announceChanges } from './announce-changes.ts';
export type { CommandLineContext, OperatorContext } from './context.ts';

/** The operation of each row of the operator's table. A missing one does not compile. */
export const operatorOperations: {
  readonly [Id in OperatorOperationId]: Operation<
    Id,
    Id extends CommandId ? CommandLineContext : OperatorContext
  >;
} = boundWithPreviews({
  'operator.signIn.options': session.signInOptions,
  'operator.provider.begin': session.beginProvider,
  'operator.provider.complete': session.completeProvider,
  'operator.session.begin': session.beginStaffSession,
  'operator.session.get': session.getStaffSession,
  'operator.session.end': session.endStaffSession,
  'operator.session.stepUp': session.stepUpSession,
  'operator.session.list': session.listStaffSessions,
  'operator.session.endOther': session.endOtherSession,
  'operator.invitation.find': session.findStaffInvitation,
  'operator.invitation.accept': session.acceptStaffInvitation,
  'operator.account.changePassword': session.changeOwnPassword,
  'operator.account.beginSecondFactor': session.beginOwnSecondFactor,
  'operator.account.confirmSecondFactor': session.confirmOwnSecondFactor,
  'operator.account.removeSecondFactor': session.removeSecondFactorOfOwn,
  'operator.staff.list': staff.listStaffMembers,
  'operator.staff.invite': staff.inviteStaffMember,
  'operator.staff.change': staff.changeStaffMember,
  'operator.staff.disable': staff.disableStaffMember,
  'operator.staff.enable': staff.enableStaffMember,
  'operator.staff.removeSecondFactor': staff.removeLostSecondFactor,
  'operator.token.list': staff.listTokens,
  'operator.token.issue': staff.issueToken,
  'operator.token.revoke': staff.revokeToken,
  'operator.settings.get': getSettings,
  ...auditActs,
  ...attentionActs,
  ...moneyActs,
  ...applicationActs,
  ...keyActs,
  ...reservationActs,
  ...checkoutActs,
  ...signingKeyActs,
  ...restoreActs,
  ...webhookActs,
  'operator.request.list': listRequests,
  'operator.request.get': getRequest,
  'operator.overview.get': getOverview,
  'operator.funnel.read': getFunnel,
  'operator.calendar.read': readCalendar,
  'operator.listing.list': listings.listListings,
  'operator.listing.add': listings.addHome,
  'operator.listing.price': listings.priceDraft,
  'operator.listing.get': listings.getListing,
  'operator.listing.change': listings.changeHome,
  'operator.listing.listWithdrawn': listings.listWithdrawnHomes,
  'operator.listing.withdraw': listings.withdrawHome,
  'operator.listing.offer': listings.offerHome,
  'operator.picture.upload': pictures.uploadFile,
  'operator.picture.list': pictures.listPicturesOfHome,
  'operator.picture.add': pictures.addPictureToHome,
  'operator.picture.set': pictures.setPictureOfHome,
  'operator.picture.remove': pictures.removePictureOfHome,
  'operator.rate.set': listings.setRatesOfDates,
  'operator.rate.import': listings.importRatesFile,
  'operator.block.list': inventory.listBlocks,
  'operator.block.add': inventory.addBlock,
  'operator.block.remove': inventory.removeBlock,
  'operator.block.import': inventory.importBlocksFile,
  'operator.channelCalendar.list': inventory.listCalendars,
  'operator.channelCalendar.conflicts': inventory.listConflicts,
  ...calendarActs,
  'operator.channelCalendar.refresh': inventory.refreshChannelCalendar,
  'operator.channelCalendar.remove': inventory.removeChannelCalendar,
  'operator.channelCalendar.import': inventory.importChannelCalendar,
  'operator.channelCalendar.address': inventory.showCalendarAddress,
  'operator.catalog.list': catalogs.listAllCatalogs,
  'operator.catalog.import': catalogs.importCatalogFile,
  'operator.catalog.export': catalogs.exportCatalogFile,
  'operator.promotion.list': catalogs.listPromotions,
  'operator.promotion.add': catalogs.addPromotionOf,
  'operator.promotion.change': catalogs.changePromotionOf,
  'operator.promotion.end': catalogs.endPromotionOf,
});
