import Type from 'typebox';
import { UuidInput } from '../partner/schemas/primitives.ts';
import { CatalogSlug, ListingName } from './schemas/homes.ts';
import { externalId, source } from './schemas/outside-stays.ts';
import { PictureId } from './schemas/pictures.ts';

/** What can be in a path of the operator's API, by name. */
export const operatorPathMembers = {
  applicationId: UuidInput('The application.'),
  blockId: UuidInput('The block.'),
  calendarId: UuidInput('The calendar.'),
  catalog: CatalogSlug('The catalog, by its slug.'),
  changeId: UuidInput('The `subject` of the item.'),
  changeRequestId: UuidInput('The request for a change.'),
  checkoutId: UuidInput('The checkout or reservation request.'),
  code: Type.String({ minLength: 1, maxLength: 64, description: 'The code.' }),
  deliveryId: UuidInput('The delivery.'),
  effectId: Type.String({
    minLength: 1,
    maxLength: 255,
    description: "The card provider's name of the payment or refund.",
  }),
  endpointId: UuidInput('The endpoint.'),
  externalId,
  keyId: Type.String({ minLength: 1, maxLength: 100, description: 'The key, by its ID.' }),
  listing: ListingName,
  noteId: UuidInput('The note.'),
  passkeyId: UuidInput('The passkey.'),
  personId: UuidInput('The person.'),
  pictureId: PictureId,
  rateChangeId: UuidInput('The `changeId` of the change of rates.'),
  reference: Type.String({ minLength: 1, maxLength: 100, description: 'The reservation.' }),
  replacementId: UuidInput('The `changeId` of the replacement.'),
  requestId: UuidInput('The `x-request-id` of the response.'),
  sessionId: UuidInput('The session.'),
  source,
  staffId: UuidInput('The member of staff.'),
  tokenId: UuidInput('The token.'),
};
