/** Endpoints and deliveries of applications. */
import Type from 'typebox';
import {
  Instant,
  InstantInput,
  Nullable,
  requestOptions,
  responseOptions,
  Uuid,
  UuidInput,
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
import { ApplicationPath } from './applications.ts';
import { pageQuery, PageOf } from './shared.ts';

export { AddedEndpoint, AddEndpoint, Delivery, Endpoint, Replayed };

export const EndpointPath = Type.Object(
  { endpointId: UuidInput('The endpoint.') },
  { additionalProperties: false },
);

export const DeliveryPath = Type.Object(
  { deliveryId: UuidInput('The delivery.') },
  { additionalProperties: false },
);

export const DeliveryOfPath = Type.Object(
  { ...ApplicationPath.properties, ...DeliveryPath.properties },
  { additionalProperties: false },
);

// The last request is signed: its signature is for the partner.
const { lastRequest: _, ...withoutRequest } = DeliveryInFull.properties;

export const DeliveryForStaff = Type.Object(
  withoutRequest,
  responseOptions('DeliveryForStaff', 'A delivery with its attempts and its event.'),
);

export const ResumeEndpoint = Type.Object(
  { missed: Type.Optional(ResumePortalEndpoint.properties.missed) },
  requestOptions('ResumeEndpoint', 'What becomes of the events that it missed. Absent: `replay`.'),
);

const ListedEndpoint = Type.Object(
  {
    ...Endpoint.properties,
    health: Type.Enum(['ok', 'failing'], {
      $id: 'EndpointHealth',
      description: '`failing` from the first failure to the next success.',
    }),
  },
  { $id: 'ListedEndpoint' },
);

export const EndpointList = Type.Object(
  { items: Type.Array(ListedEndpoint) },
  responseOptions('EndpointList', 'The endpoints of an application, oldest first.'),
);

export const RotatedSecret = Type.Object(
  {
    endpointId: Uuid('The endpoint.'),
    secret: Secrets.properties.secret,
    previousSecretUntil: Nullable(Instant('Until when the previous secret also signs.')),
  },
  responseOptions('RotatedSecret', 'The new secret of an endpoint.'),
);

export const ReplayFailed = Type.Object(
  { since: InstantInput('The earliest failure.') },
  requestOptions('ReplayFailed', 'Which failed deliveries are sent again.'),
);

const { endpointId, state, type } = DeliveryQuery.properties;

export const DeliveriesQuery = Type.Object(
  { endpointId, state, type, ...pageQuery },
  { additionalProperties: false },
);

export const DeliveriesPage = PageOf(
  Delivery,
  'DeliveriesPage',
  'Deliveries, newest first. With filters, a page can have fewer items than `limit`, even none, and still be followed by others.',
);
