import Type from 'typebox';
import { EventTypeName } from '../../partner/schemas/event.ts';
import { Cursor } from '../../partner/schemas/primitives.ts';
import { patterns } from '../../patterns.ts';
import { portalLimits } from '../limits.ts';

export const SomeEventTypes = Type.Array(EventTypeName, { minItems: 1, uniqueItems: true });

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
