import Type from 'typebox';
import { type EventType, eventTypes } from '../../events.ts';
import { Cursor } from '../../partner/schemas/primitives.ts';
import { patterns } from '../../patterns.ts';
import { portalLimits } from '../limits.ts';

export const types = Object.keys(eventTypes) as EventType[];

export const EventTypeName = (description: string) => Type.Enum(types, { description });

export const SomeEventTypes = Type.Array(Type.Enum(types), { minItems: 1, uniqueItems: true });

const PageLimit = Type.Integer({
  minimum: portalLimits.pageSize.min,
  maximum: portalLimits.pageSize.max,
  description: `Maximum number of items; ${portalLimits.pageSize.default} if absent.`,
});

export const paged = {
  limit: Type.Optional(PageLimit),
  cursor: Type.Optional(Cursor),
};

export const EventId = (description: string) =>
  Type.String({ pattern: patterns.eventId.pattern, maxLength: 36, description });
