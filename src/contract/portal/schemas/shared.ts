import * as Type from '../../type.ts';
import { EventTypeName } from '../../partner/schemas/event.ts';
import { pageMembers } from '../../partner/schemas/primitives.ts';
import { patterns } from '../../patterns.ts';
import { portalLimits } from '../limits.ts';

export const SomeEventTypes = Type.Array(EventTypeName, { minItems: 1, uniqueItems: true });

/** The query members of the portal's lists. */
export const paged = pageMembers(portalLimits.pageSize);

export const EventId = (description: string) =>
  Type.String({ pattern: patterns.eventId.pattern, maxLength: 36, description });
