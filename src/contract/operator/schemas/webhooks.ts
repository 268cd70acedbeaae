/** Endpoints and deliveries of applications. */
import Type from 'typebox';
import {
  Instant,
  InstantInput,
  Nullable,
  RequestObject,
  ResponseObject,
  Uuid,
} from '../../partner/schemas/primitives.ts';
import { Delivery, DeliveryInFull, DeliveryQuery } from '../../portal/schemas/deliveries.ts';
import {
  AddedEndpoint,
  AddEndpoint,
  Endpoint,
  Replayed,
  ResumeEndpoint as ResumePortalEndpoint,
  Secrets,
} from '../../portal/schemas/endpoints.ts';
import { pageQuery, PageOf } from './shared.ts';

export { AddedEndpoint, AddEndpoint, Delivery, Endpoint, Replayed };

// The last request is signed: its signature is for the partner.
const { lastRequest: _, ...withoutRequest } = DeliveryInFull.properties;

export const DeliveryForStaff = ResponseObject(
  'DeliveryForStaff',
  'A delivery with its attempts and its event.',
  withoutRequest,
);

export const ResumeEndpoint = RequestObject(
  'ResumeEndpoint',
  'What becomes of the events that it missed. Absent: `replay`.',
  { missed: Type.Optional(ResumePortalEndpoint.properties.missed) },
);

const ListedEndpoint = ResponseObject('ListedEndpoint', {
  ...Endpoint.properties,
  health: Type.Enum(['ok', 'failing'], {
    $id: 'EndpointHealth',
    description: '`failing` from the first failure to the next success.',
  }),
});

export const EndpointList = ResponseObject(
  'EndpointList',
  'The endpoints of an application, oldest first.',
  { items: Type.Array(ListedEndpoint) },
);

export const RotatedSecret = ResponseObject('RotatedSecret', 'The new secret of an endpoint.', {
  endpointId: Uuid('The endpoint.'),
  secret: Secrets.properties.secret,
  previousSecretUntil: Nullable(Instant('Until when the previous secret also signs.')),
});

export const ReplayFailed = RequestObject(
  'ReplayFailed',
  'Which failed deliveries are sent again.',
  { since: InstantInput('The earliest failure.') },
);

const { endpointId, state, type } = DeliveryQuery.properties;

export const DeliveriesQuery = RequestObject({ endpointId, state, type, ...pageQuery });

export const DeliveriesPage = PageOf(
  Delivery,
  'DeliveriesPage',
  'Deliveries, newest first. With filters, a page can have fewer items than `limit`, even none, and still be followed by others.',
);
