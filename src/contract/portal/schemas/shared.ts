import Type from 'typebox';
import { type EventType, eventTypes } from '../../events.ts';
import { Cursor, requestOptions } from '../../partner/schemas/primitives.ts';
import { portalLimits } from '../limits.ts';

export const types = Object.keys(eventTypes) as EventType[];

export const EventTypeName = (description: string) => Type.Enum(types, { description });

export const SomeEventTypes = Type.Array(Type.Enum(types), { minItems: 1, uniqueItems: true });

const PageLimit = Type.Integer({
  minimum: portalLimits.pageSize.min,
  maximum: portalLimits.pageSize.max,
  default: portalLimits.pageSize.default,
  description: 'Maximum number of items.',
});

export const paged = {
  limit: Type.Optional(PageLimit),
  cursor: Type.Optional(Cursor),
};

export const EmptyBody = Type.Object(
  {},
  requestOptions(
    'EmptyBody',
    'An object without members. It proves that no HTML form of another site sent the call.',
  ),
);

export const EventId = (description: string) =>
  Type.String({ pattern: '^evt_[0-9a-f]{32}$', maxLength: 36, description });
