/** Records the calls that a scenario judges, before their callers get an answer. */
import { LRUCache } from 'lru-cache';
import type { RunningScenario } from '../../access/index.ts';
import type { Execution, Witness } from '../../api/execution.ts';
import type { AnyResponse } from '../../api/response.ts';
import { errors, isRefusal, type Refusal } from '../../contract/errors.ts';
import type { OperationId } from '../../contract/partner/operations.ts';
import { sandboxLimits } from '../../contract/sandbox/limits.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { SeenCall } from '../rules/conformance/seen.ts';
import { recordCall } from '../store/seen-calls.ts';

type Json = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;
const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};

/** What was sent, without anything of a guest. */
function sentOf({ call }: Execution): SeenCall['sent'] {
  const body = objectOf(call?.body);
  return {
    listingId: textOf(body['listingId'])?.toLowerCase(),
    checkIn: textOf(body['checkIn']),
    checkOut: textOf(body['checkOut']),
    adults: numberOf(objectOf(body['party'])['adults']),
    quoteId: textOf(body['quoteId'])?.toLowerCase(),
    termsVersion: textOf(body['termsVersion']),
    expectedVersion: call && call.expectedVersion > 0 ? call.expectedVersion : undefined,
  };
}

/** The homes of a search whose response was changed; others are bytes, and not looked at. */
const listingsOf = (items: unknown): string[] | undefined =>
  Array.isArray(items)
    ? items.flatMap((item) => textOf(objectOf(objectOf(item)['listing'])['listingId']) ?? [])
    : undefined;

/** What the caller got. */
function gotOf(seen: AnyResponse | Refusal): SeenCall['got'] {
  if (isRefusal(seen)) return {};
  const body = objectOf((seen as AnyResponse).body);
  const charges = objectOf(body['charges']);
  return {
    state: textOf(body['state']),
    version: numberOf(body['version']),
    pollAfterSeconds: numberOf(body['pollAfterSeconds']),
    total: numberOf(charges['total']),
    currency: textOf(charges['currency']),
    termsVersion: textOf(objectOf(body['terms'])['version']),
    listings: listingsOf(body['items']),
  };
}

function statusOf(seen: AnyResponse | Refusal): number {
  if (isRefusal(seen)) return errors[(seen as Refusal).refused].status;
  const { status, damage } = seen as AnyResponse;
  if (damage === undefined) return status;
  return damage === 'dropped' ? 0 : damage.html;
}

function idOf({ call }: Execution): string | null {
  if (!call) return null;
  if (call.resourceId !== '') return call.resourceId.toLowerCase();
  const named = call.params['checkoutId'] ?? call.params['reservationRequestId'];
  return textOf(named)?.toLowerCase() ?? null;
}

function seenCallOf(
  execution: Execution,
  seen: AnyResponse | Refusal,
  at: EpochMs,
  endedAt: EpochMs,
): SeenCall {
  const { request, route, call } = execution;
  const refusal = isRefusal(seen) ? (seen as Refusal) : null;
  return {
    requestId: request.id,
    at,
    endedAt,
    operation: route.operation as OperationId,
    status: statusOf(seen),
    code: refusal?.refused ?? null,
    reason: textOf(objectOf(refusal?.details)['reason']) ?? null,
    id: idOf(execution),
    digest: call && call.inputDigest.length > 0 ? call.inputDigest.toString('base64') : null,
    isPlayed: request.fault !== null,
    sent: sentOf(execution),
    got: gotOf(seen),
  };
}

/** Attempts of which a call could not be recorded: this service is at fault. */
const spoiled = new Set<string>();

/** Whether a call of an attempt could not be recorded by this process. Asked once. */
export const wasSpoiled = (attemptId: string): boolean => spoiled.delete(attemptId);

/** Attempts of which no further call is recorded: a flood of calls asks the database no more. */
const closed = new LRUCache<string, true>({ max: 1_000 });

async function record(executor: Executor, attemptId: string, call: SeenCall): Promise<void> {
  if (closed.has(attemptId)) return;
  try {
    const isRecorded = await recordCall(executor, attemptId, call, sandboxLimits.callsJudged);
    if (!isRecorded) closed.set(attemptId, true);
  } catch {
    spoiled.add(attemptId);
  }
}

interface WitnessContext {
  executor: Executor;
  now(): EpochMs;
}

/** Sees a call of an application that runs a scenario. Spec: SANDBOX-4. */
export function witnessOf(
  { executor, now }: WitnessContext,
  { attemptId }: RunningScenario,
): Witness {
  const at = now();
  return (execution, seen) => record(executor, attemptId, seenCallOf(execution, seen, at, now()));
}

/** Records an exchange of a token. */
export function recordExchange(
  { executor, now }: WitnessContext,
  { attemptId }: RunningScenario,
  requestId: string,
): Promise<void> {
  const at = now();
  return record(executor, attemptId, {
    requestId,
    at,
    endedAt: at,
    operation: 'token',
    status: 200,
    code: null,
    reason: null,
    id: null,
    digest: null,
    isPlayed: false,
    sent: {},
    got: {},
  });
}
