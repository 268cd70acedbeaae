/** Endpoints and deliveries of applications. */
import * as Type from '../../type.ts';
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

export const DeliveryForStaff = Type.ResponseObject(
  'DeliveryForStaff',
  'A delivery with its attempts and its event.',
  withoutRequest,
);

export const ResumeEndpoint = Type.RequestObject(
  'ResumeEndpoint',
  'What becomes of the events that it missed. Absent: `replay`.',
  { missed: Type.Optional(ResumePortalEndpoint.properties.missed) },
);

const ListedEndpoint = Type.ResponseObject('ListedEndpoint', {
  ...Endpoint.properties,
  health: Type.Enum(['ok', 'failing'], {
    $id: 'EndpointHealth',
    description: '`failing` from the first failure to the next success.',
  }),
});

export const EndpointList = Type.ListOf(
  ListedEndpoint,
  'EndpointList',
  'The endpoints of an application, oldest first.',
);

export const RotatedSecret = Type.ResponseObject(
  'RotatedSecret',
  'The new secret of an endpoint.',
  {
    endpointId: Type.Uuid('The endpoint.'),
    secret: Secrets.properties.secret,
    previousSecretUntil: Type.Nullable(Type.Instant('Until when the previous secret also signs.')),
  },
);

export const ReplayFailed = Type.RequestObject(
  'ReplayFailed',
  'Which failed deliveries are sent again.',
  { since: Type.InstantInput('The earliest failure.') },
);

const { endpointId, state, type } = DeliveryQuery.properties;

export const DeliveriesQuery = Type.RequestObject({ endpointId, state, type, ...pageQuery });

export const DeliveriesPage = PageOf(
  Delivery,
  'DeliveriesPage',
  'Deliveries, newest first. With filters, a page can have fewer items than `limit`, even none, and still be followed by others.',
);
