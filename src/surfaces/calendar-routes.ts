import type { FastifyInstance } from 'fastify';
import { createBuckets, rateRefusal } from '../access/index.ts';
import { parseQuery } from '../api/query.ts';
import { exportCalendar } from '../channels/index.ts';
import { RefusalError } from '../contract/errors.ts';
import { etagOf, includesTag, tagsIn } from '../platform/etag.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { isUuid } from '../platform/uuid.ts';

const perMinute = 60;
const calendarPath = /^([A-Za-z0-9_-]{43})\.ics$/;

/** The query `without`. Undefined: the query is not valid. */
function withoutOf(query: unknown): string | null | undefined {
  const { values, fields } = parseQuery((query as { text?: string }).text ?? '');
  const { without = null, ...others } = values;
  if (fields.length > 0 || Object.keys(others).length > 0) return undefined;
  const id = without?.toLowerCase() ?? null;
  return id === null || isUuid(id) ? id : undefined;
}

function refuseIf(waitSeconds: number): void {
  const refusal = rateRefusal(waitSeconds);
  if (refusal) throw new RefusalError(refusal);
}

/**
 * Serves the calendars of homes to other channels at `/calendars/<secret>.ics`. An address is read at most 60 times
 * a minute; a source that asks for unknown addresses is refused after 60 of them, without a query.
 */
export function calendarRoutes(app: FastifyInstance, executor: Executor): void {
  const known = createBuckets();
  const unknown = createBuckets();
  app.get('/calendars/:file', { config: { operation: 'calendar' } }, async (request, reply) => {
    const [, secret] = calendarPath.exec((request.params as { file: string }).file) ?? [];
    const without = withoutOf(request.query);
    if (secret === undefined || without === undefined) return reply.callNotFound();
    const guesses = unknown.state(request.ip, perMinute);
    refuseIf(guesses.remaining === 0 ? 1 : 0);
    refuseIf(known.take(secret, perMinute));
    const calendar = await exportCalendar(executor, secret, without);
    if (calendar === undefined) {
      unknown.debit(request.ip, perMinute);
      return reply.callNotFound();
    }
    const etag = etagOf(calendar);
    void reply.header('etag', etag).header('cache-control', 'private, no-cache');
    if (includesTag(tagsIn(request.headers['if-none-match']), etag)) {
      return reply.code(304).send();
    }
    return reply.type('text/calendar; charset=utf-8').send(calendar);
  });
}
