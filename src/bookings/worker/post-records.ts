import { createHash } from 'node:crypto';
import type { EpochMs } from '../../contract/time.ts';
import type { Environment } from '../../contract/wire.ts';
import { type Batch, createBatch } from '../../platform/batch.ts';
import { startClaiming } from '../../platform/claims.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../../platform/postgres/database-errors.ts';
import { createConnections } from '../../platform/sending/connections.ts';
import { createDial } from '../../platform/sending/dial.ts';
import {
  type ExchangeResult,
  attemptTimeoutMs,
  type Exchange,
  startExchange,
} from '../../platform/sending/exchange.ts';
import { hostOf } from '../../platform/sending/host.ts';
import { delayAsked, delays, retryInSeconds } from '../../platform/sending/retry.ts';
import { setSendingResult } from '../../platform/sending/trace.ts';
import { signedHeaders } from '../../platform/sending/signature.ts';
import { giveUpAfter } from '../../platform/sleeper.ts';
import { traceHeaders } from '../../platform/tracing/tracing.ts';
import { inTraceOf } from '../traces.ts';
import type { Records } from '../ports/records.ts';
import { recordBody, recordId, type ReservationRecord } from '../rules/record.ts';
import {
  claimRecords,
  type RecordClaim,
  type RecordResult,
  writeRecordResults,
} from '../store/records.ts';

/** The operator's own system. */
export interface PostedRecordsContext {
  environment: Environment;
  url: URL;
  /** Each request is signed with each of them, `whsec_…`. */
  secrets: readonly string[];
}

const roundMs = 1_000;
const inFlightAtMost = 32;
// Longer than an attempt and the writing of its result.
const leaseSeconds = 30;
const stopWithinMs = 4_000;
const resultsAtOnce = 64;

const digestLength = 16;
const digestOf = (body: string): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, digestLength);

function postOf(
  { environment, url, secrets }: PostedRecordsContext,
  record: ReservationRecord,
  now: EpochMs,
) {
  const body = recordBody(environment, record);
  return {
    path: `${url.pathname}${url.search}`,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Latchkey-Records',
      ...signedHeaders(secrets, recordId(record, digestOf(body)), body, now),
      ...traceHeaders(),
    },
    body,
  };
}

/** Why an attempt failed, for the operator; null: it did not. */
const problemOf = ({ error, status }: ExchangeResult): string | null =>
  error === null || status === null ? error : `${error} ${status}`;

/**
 * The result of an attempt. Attempts continue with the longest delay until the records have the reservation.
 * Spec: RECORD-2.
 */
function resultOf(claim: RecordClaim, problem: string | null, asked: number | null): RecordResult {
  const { reference, version, attempts } = claim;
  const result = { reference, version, attempts, problem };
  if (problem === null) return { ...result, retryInSeconds: null };
  const failed = Math.min(attempts, delays);
  return { ...result, retryInSeconds: retryInSeconds(failed, asked, Math.random()) };
}

/** Posts reservations to the operator's own system. */
interface Poster {
  post(record: ReservationRecord, now: EpochMs): Promise<ExchangeResult>;
  /** Removes closed connections. */
  tidy(): void;
  /** Ends the requests in flight. */
  expire(): void;
  close(): Promise<void>;
}

function createPoster(receiver: PostedRecordsContext): Poster {
  const { url } = receiver;
  const connections = createConnections(createDial());
  const inFlight = new Set<Exchange>();
  return {
    async post(record, now) {
      const dispatcher = connections.to(url, hostOf(url));
      const exchange = startExchange(dispatcher, postOf(receiver, record, now));
      inFlight.add(exchange);
      try {
        const expire = () => exchange.expire();
        return await giveUpAfter(attemptTimeoutMs, expire, () => exchange.result);
      } finally {
        inFlight.delete(exchange);
      }
    },
    tidy: () => connections.tidy(),
    expire() {
      for (const exchange of inFlight) exchange.expire();
    },
    close: () => connections.destroy(),
  };
}

async function attempt(
  executor: Executor,
  poster: Poster,
  claim: RecordClaim,
): Promise<RecordResult> {
  const { record, now } = claim;
  if (record === null) return resultOf(claim, 'guest_unreadable', null);
  const booking = { ...record.application, ...record.booking };
  const answer = await inTraceOf(executor, booking, 'records.post', 'client', async () => {
    const posted = await poster.post(record, now);
    setSendingResult(posted);
    return posted;
  });
  return resultOf(claim, problemOf(answer), delayAsked(answer, claim.now));
}

/** Results that end together are written together. */
const createResults = (executor: Executor): Batch<RecordResult, void> =>
  createBatch({
    atMost: resultsAtOnce,
    async write(results) {
      await writeRecordResults(executor, results);
      return results.map(() => undefined);
    },
    isOfOneItem: (error) => !(error instanceof DatabaseUnavailableError),
  });

/**
 * Posts each version of a reservation to the operator's own system, signed and retried like a webhook. A
 * repeated request has the same `webhook-id`.
 */
export const postedRecords = (receiver: PostedRecordsContext): Records => ({
  areElsewhere: true,
  start({ executor, log }) {
    const poster = createPoster(receiver);
    const results = createResults(executor);
    let givenUp = false;

    async function bring(claim: RecordClaim): Promise<void> {
      const result = await attempt(executor, poster, claim);
      if (givenUp) return;
      const { reference, version, attempts, problem } = result;
      if (problem !== null) {
        log.warn({ reference, version, attempts, problem }, 'record not accepted');
      }
      await results.add(result).catch((error: unknown) => {
        log.warn({ err: error, reference, version }, 'record result not written; sent again');
      });
    }

    /** Gives up the attempts in flight. They are repeated when their leases end. */
    function giveUp(): void {
      givenUp = true;
      poster.expire();
    }

    const claiming = startClaiming<RecordClaim>({
      name: 'post records',
      everyMs: roundMs,
      inFlightAtMost,
      async claim(atMost) {
        poster.tidy();
        return { claims: await claimRecords(executor, atMost, leaseSeconds) };
      },
      process: bring,
      log,
    });
    return {
      async stop() {
        await giveUpAfter(stopWithinMs, giveUp, claiming.stop);
        await poster.close();
      },
    };
  },
});
