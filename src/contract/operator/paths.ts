import * as Type from '../type.ts';
import { CatalogSlug, ListingName } from './schemas/homes.ts';
import { externalId, source } from './schemas/outside-stays.ts';
import { PictureId } from './schemas/pictures.ts';

/** What can be in a path of the operator's API, by name. */
export const operatorPathMembers = {
  applicationId: Type.UuidInput('The application.'),
  blockId: Type.UuidInput('The block.'),
  calendarId: Type.UuidInput('The calendar.'),
  catalog: CatalogSlug('The catalog, by its slug.'),
  changeId: Type.UuidInput('The `subject` of the item.'),
  changeRequestId: Type.UuidInput('The request for a change.'),
  checkoutId: Type.UuidInput('The checkout or reservation request.'),
  code: Type.GivenText(64, 'The code.'),
  deliveryId: Type.UuidInput('The delivery.'),
  effectId: Type.GivenText(255, "The card provider's name of the payment or refund."),
  endpointId: Type.UuidInput('The endpoint.'),
  externalId,
  keyId: Type.GivenText(100, 'The key, by its ID.'),
  listing: ListingName,
  noteId: Type.UuidInput('The note.'),
  passkeyId: Type.UuidInput('The passkey.'),
  personId: Type.UuidInput('The person.'),
  pictureId: PictureId,
  rateChangeId: Type.UuidInput('The `changeId` of the change of rates.'),
  reference: Type.GivenText(100, 'The reservation.'),
  replacementId: Type.UuidInput('The `changeId` of the replacement.'),
  requestId: Type.UuidInput('The `x-request-id` of the response.'),
  sessionId: Type.UuidInput('The session.'),
  source,
  staffId: Type.UuidInput('The member of staff.'),
  tokenId: Type.UuidInput('The token.'),
};
