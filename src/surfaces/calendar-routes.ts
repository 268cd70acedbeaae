import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createBuckets, rateRefusal } from '../access/index.ts';
import { exportCalendar } from '../channels/index.ts';
import { RefusalError } from '../contract/errors.ts';
import { etagOf, includesTag, tagsIn } from '../platform/etag.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { isUuid } from '../platform/uuid.ts';

const perMinute = 60;
const secretFile = /^([A-Za-z0-9_-]{43})\.ics$/;
const secretFolder = /^[A-Za-z0-9_-]{43}$/;
const calendarFile = /^(.+)\.ics$/;

/** What an address names. */
interface Address {
  secret: string;
  /** The calendar of the channel that reads it; null: none. */
  reader: string | null;
}

function addressOf(secret: string | undefined, reader: string | null): Address | undefined {
  if (secret === undefined) return undefined;
  const id = reader?.toLowerCase() ?? null;
  return id === null || isUuid(id) ? { secret, reader: id } : undefined;
}

/** The address of a home: `/calendars/<secret>.ics`. Earlier versions named the reader as `?without=<calendar>`. */
function homeAddress({ params, query }: FastifyRequest): Address | undefined {
  const { file } = params as { file: string };
  const readers = new URLSearchParams((query as { text?: string }).text).getAll('without');
  if (readers.length > 1) return undefined;
  return addressOf(secretFile.exec(file)?.[1], readers[0] ?? null);
}

/** The address of a channel: `/calendars/<secret>/<calendar>.ics`. */
function channelAddress({ params }: FastifyRequest): Address | undefined {
  const { secret, file } = params as { secret: string; file: string };
  return addressOf(secretFolder.exec(secret)?.[0], calendarFile.exec(file)?.[1] ?? '');
}

function refuseIf(waitSeconds: number): void {
  const refusal = rateRefusal(waitSeconds);
  if (refusal) throw new RefusalError(refusal);
}

/**
 * Serves the calendars of homes to other channels. Channels add query parameters of their own, which are ignored,
 * and ask with HEAD whether an address exists. An address is read at most 60 times a minute; a source that asks for
 * unknown addresses is refused after 60 of them, without a query.
 */
export function calendarRoutes(app: FastifyInstance, executor: Executor): void {
  const known = createBuckets();
  const unknown = createBuckets();

  async function serve(
    request: FastifyRequest,
    reply: FastifyReply,
    address: Address | undefined,
  ): Promise<unknown> {
    if (!address) return reply.callNotFound();
    const { secret, reader } = address;
    const guesses = unknown.state(request.ip, perMinute);
    refuseIf(guesses.remaining === 0 ? 1 : 0);
    refuseIf(known.take(`${secret} ${reader}`, perMinute));
    const calendar = await exportCalendar(executor, secret, reader);
    if (calendar === undefined) {
      unknown.debit(request.ip, perMinute);
      return reply.callNotFound();
    }
    const { content } = calendar;
    if (request.method === 'GET') await calendar.wasRead();
    const etag = etagOf(content);
    void reply.header('etag', etag).header('cache-control', 'private, no-cache');
    if (includesTag(tagsIn(request.headers['if-none-match']), etag)) {
      return reply.code(304).send();
    }
    return reply.type('text/calendar; charset=utf-8').send(content);
  }

  const method = ['GET', 'HEAD'];
  const config = { operation: 'calendar' };
  app.route({
    method,
    url: '/calendars/:file',
    config,
    handler: (request, reply) => serve(request, reply, homeAddress(request)),
  });
  app.route({
    method,
    url: '/calendars/:secret/:file',
    config,
    handler: (request, reply) => serve(request, reply, channelAddress(request)),
  });
}
