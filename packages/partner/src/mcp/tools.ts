/** The tools that an agent gets: each is an operation of the contract, with fewer members. */
import { createHash } from 'node:crypto';
import type { LatchkeyClient } from '../client/client.ts';
import { type AnyInput, type OperationId, rowOf } from '../client/operation.ts';
import { hasEnded } from '../client/outcome.ts';
import type { ReservationRequest } from '../contract/types.ts';
import { type ContractSchema, operationSchemas } from '../contract/schemas.ts';
import { type Shape, shownPart, shownSchema } from './schema.ts';

/** The input of a tool, once it is valid. */
export type ToolInput = Readonly<Record<string, unknown>>;

interface ToolRow {
  title: string;
  description: string;
  operation: OperationId;
  /** The members of the operation's input that an agent gives. */
  takes: Shape;
  /** Members that only the tool has. */
  own?: Readonly<Record<string, ContractSchema>>;
  /** The members of the reply that an agent gets. */
  shows: Shape;
  /** Whether it can make a reservation. */
  reserves?: true;
  /** Only where reservations are switched on. */
  onlyWithReservations?: true;
  run?: (client: LatchkeyClient, input: ToolInput, signal: AbortSignal) => Promise<unknown>;
}

const home = {
  listingId: true,
  name: true,
  blurb: true,
  destination: true,
  propertyType: true,
  sleeps: true,
  bedrooms: true,
  bathrooms: true,
  amenities: true,
  geo: true,
} as const;

const requestShown = {
  reservationRequestId: true,
  state: true,
  quoteId: true,
  reference: true,
  partnerReference: true,
  failure: true,
  uncertain: true,
  nextActions: true,
  pollAfterSeconds: true,
} as const;

/**
 * The ID of the request for a quote. A quote can be used once, so the same call again, also by a process that was
 * started again, is the same request and never a second reservation.
 */
function requestIdOf(quoteId: string): string {
  const hex = createHash('sha256')
    .update(`latchkey-partner mcp ${quoteId.toLowerCase()}`)
    .digest('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

const requestReservation: ToolRow['run'] = (client, input, signal) => {
  const body = { ...input, reservationRequestId: requestIdOf(String(input['quoteId'])) };
  return client.call('reservation.reservationRequest.create', { body: body as never }, { signal });
};

const longestWaitSeconds = 30;

const getReservationRequest: ToolRow['run'] = async (client, input, signal) => {
  const { reservationRequestId, waitSeconds = 0 } = input as {
    reservationRequestId: string;
    waitSeconds?: number;
  };
  const params = { reservationRequestId };
  let last = await client.call('reservation.reservationRequest.get', { params }, { signal });
  const isOver = AbortSignal.timeout(waitSeconds * 1000);
  if (waitSeconds === 0 || hasEnded(last)) return last;
  try {
    return await client.waitForOutcome(params, {
      signal: AbortSignal.any([signal, isOver]),
      onStatus: (status) => (last = status as ReservationRequest),
    });
  } catch (error) {
    if (signal.aborted || !isOver.aborted) throw error;
    return last;
  }
};

/** The tools, in the order of a booking. */
export const toolRows: Readonly<Record<string, ToolRow>> = {
  search_homes: {
    title: 'Search homes',
    description:
      'Finds homes that are free for the dates and the party, with an indicative total. Narrow it by destination, place, amenities, bedrooms or price.',
    operation: 'distribution.listing.search',
    takes: {
      checkIn: true,
      checkOut: true,
      party: true,
      destination: true,
      near: true,
      amenities: true,
      bedroomsMin: true,
      maxTotal: true,
      sort: true,
      flexDays: true,
      limit: true,
      cursor: true,
    },
    shows: {
      items: {
        listing: home,
        total: true,
        currency: true,
        distanceKm: true,
        checkIn: true,
        checkOut: true,
      },
      nextCursor: true,
      meta: { asOf: true, completeness: true },
    },
  },
  get_home: {
    title: 'Read a home',
    description:
      'Everything about one home: rooms and beds, amenities, house rules, who may stay, pictures, times of arrival and departure.',
    operation: 'distribution.listing.get',
    takes: true,
    shows: {
      ...home,
      description: true,
      timeZone: true,
      checkInFrom: true,
      checkOutUntil: true,
      images: true,
      policies: true,
      spaces: true,
      registrationNumber: true,
      partyRules: true,
      maxNights: true,
    },
  },
  get_calendar: {
    title: 'Read a calendar',
    description:
      'Which nights of one home are free, their indicative prices, and on which dates a stay may begin, end, and how long it must be. At most 93 days a call.',
    operation: 'inventory.calendar.get',
    takes: true,
    shows: {
      listingId: true,
      timeZone: true,
      startDate: true,
      endDate: true,
      currency: true,
      days: true,
      meta: { asOf: true, completeness: true },
    },
  },
  create_quote: {
    title: 'Quote a stay',
    description:
      'The exact, binding price of one stay with its terms of payment and cancellation, for 15 minutes. It reserves nothing, holds no nights and costs nothing. Show price and terms to the guest.',
    operation: 'reservation.quote.create',
    takes: { listingId: true, checkIn: true, checkOut: true, party: true, promotionCode: true },
    shows: {
      quoteId: true,
      listingId: true,
      checkIn: true,
      checkOut: true,
      party: true,
      charges: {
        currency: true,
        accommodation: true,
        fees: true,
        taxes: true,
        includedTaxes: true,
        total: true,
        dueNow: true,
        schedule: true,
        lines: true,
      },
      terms: true,
      promotionCode: true,
      expiresAt: true,
    },
  },
  request_reservation: {
    title: 'Request a reservation',
    description:
      'Reserves the stay of a quote. Call it only after a person has seen the price and the terms of this quote and has said yes. The same quote again is the same request: it never books twice. Then call get_reservation_request until the state is confirmed or failed.',
    operation: 'reservation.reservationRequest.create',
    takes: {
      quoteId: true,
      termsVersion: true,
      termsAccepted: true,
      guest: true,
      partnerReference: true,
    },
    shows: requestShown,
    reserves: true,
    onlyWithReservations: true,
    run: requestReservation,
  },
  get_reservation_request: {
    title: 'Read a reservation request',
    description:
      'The outcome of a reservation request. Only confirmed, with a reference, is a reservation. pending and unresolved are not known yet: ask again, and do not request another reservation meanwhile.',
    operation: 'reservation.reservationRequest.get',
    takes: true,
    own: {
      waitSeconds: {
        type: 'integer',
        minimum: 0,
        maximum: longestWaitSeconds,
        description: 'How long to wait for the outcome before the answer; 0 if absent.',
      },
    },
    shows: requestShown,
    onlyWithReservations: true,
    run: getReservationRequest,
  },
};

/** The names of the tools that a server offers. */
export const toolNames = (withReservations: boolean): string[] =>
  Object.entries(toolRows)
    .filter(([, { onlyWithReservations }]) => withReservations || !onlyWithReservations)
    .map(([name]) => name);

/** What a tool takes. */
export function inputSchemaOf({ operation, takes, own }: ToolRow): ContractSchema {
  const { parameters, body } = operationSchemas[operation]!;
  const schema = shownSchema(body ?? parameters ?? {}, takes);
  return { ...schema, properties: { ...(schema['properties'] as object), ...own } };
}

/** What a tool returns. */
export const outputSchemaOf = ({ operation, shows }: ToolRow): ContractSchema =>
  shownSchema(operationSchemas[operation]!.reply!, shows);

function inputOf(operation: OperationId, input: ToolInput): AnyInput {
  const { method, path } = rowOf(operation);
  if (method !== 'GET') return { body: input };
  const isParam = ([name]: [string, unknown]) => path.includes(`{${name}}`);
  const members = Object.entries(input);
  return {
    params: Object.fromEntries(members.filter(isParam)),
    query: Object.fromEntries(members.filter((member) => !isParam(member))),
  };
}

/** Makes the call of a tool. Throws what the client throws. */
export async function runTool(
  client: LatchkeyClient,
  { operation, shows, run }: ToolRow,
  input: ToolInput,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const reply = run
    ? await run(client, input, signal)
    : await client.call(operation, inputOf(operation, input) as never, { signal });
  return shownPart(reply, shows) as Record<string, unknown>;
}
