/** Plays what the scenario of a conformance run wants at a call of its application. */
import type { PartnerActor } from '../../access/index.ts';
import type { AnyCall } from '../../api/call.ts';
import type { Interference } from '../../api/surface.ts';
import { type BookingContext, endQuote, endSession, moveVersion } from '../../bookings/index.ts';
import { isRefusal, refuse, type Refusal } from '../../contract/errors.ts';
import type { OperationId } from '../../contract/partner/operations.ts';
import type { BookInput } from '../../contract/sandbox/conformance.ts';
import type { AnyResponse } from '../../api/response.ts';
import { type PlayedCall, playAction, withBody } from '../play-action.ts';
import { behind, withoutPrices } from '../rules/changed-replies.ts';
import { type PlayAction, playAt } from '../rules/conformance/plays.ts';
import { isSubmission } from '../rules/conformance/seen.ts';
import { faultText } from '../rules/faults.ts';
import { noteSubmission, provoke, takeNights } from '../store/scenarios.ts';

/** What playing needs. */
export interface PlayContext {
  booking: Pick<BookingContext, 'executor' | 'recent'>;
  /** Waits until every process plays what has just begun for an application. */
  takeEffect(applicationId: string): Promise<void>;
}

/** A call at which something is played. */
interface Met {
  context: PlayContext;
  actor: PartnerActor;
  call: AnyCall;
  played: PlayedCall;
  attemptId: string;
  book: BookInput;
}

/** Ends the quote of a booking: before a request is made of it, after a checkout was. */
async function expireQuote({ context, actor, call }: Met): Promise<Interference> {
  const { executor, recent } = context.booking;
  const end = async (): Promise<void> => {
    await endQuote(executor, actor.applicationId, String(call.body['quoteId']).toLowerCase());
    recent.quotes.drop();
    recent.checkouts.drop();
  };
  const isCheckout = call.operation === 'reservation.checkout.create';
  if (isCheckout) return { afterwards: (outcome) => end().then(() => outcome) };
  await end();
  return null;
}

async function moveCheckout({ context, actor, call }: Met): Promise<Interference> {
  const { executor, recent } = context.booking;
  await moveVersion(executor, actor.applicationId, String(call.params['checkoutId']).toLowerCase());
  recent.checkouts.drop();
  return null;
}

async function occupy({ context, actor, attemptId, book }: Met): Promise<Interference> {
  const { executor } = context.booking;
  await takeNights(executor, { applicationId: actor.applicationId, attemptId }, book);
  return null;
}

/** Ends the session of a checkout when it was made. */
function endSessionAfterwards({ context, actor, call }: Met): Interference {
  const { executor, recent } = context.booking;
  return {
    async afterwards(outcome) {
      await endSession(executor, actor.applicationId, call.resourceId.toLowerCase());
      recent.checkouts.drop();
      return outcome;
    },
  };
}

const withDeprecation = (
  outcome: AnyResponse | Refusal,
  deprecation: string,
): AnyResponse | Refusal =>
  isRefusal(outcome) ? outcome : { ...(outcome as AnyResponse), deprecation };

async function perform(met: Met, action: PlayAction): Promise<Interference> {
  if ('unauthenticated' in action) {
    return { instead: refuse('unauthenticated', { reason: action.unauthenticated }) };
  }
  if ('moves' in action) return moveCheckout(met);
  if ('expires' in action) return expireQuote(met);
  if ('takes' in action) return occupy(met);
  if ('ends' in action) return endSessionAfterwards(met);
  if ('nulls' in action) return { afterwards: withBody(withoutPrices) };
  if ('behindSeconds' in action) {
    return { afterwards: withBody((quote) => behind(quote, action.behindSeconds)) };
  }
  if ('deprecated' in action) {
    return { afterwards: (outcome) => withDeprecation(outcome, action.deprecated) };
  }
  if ('begins' in action) {
    await met.context.takeEffect(met.actor.applicationId);
    return null;
  }
  return playAction(met.played, action);
}

/** Plays what the running scenario of an application wants at a valid call. Spec: SANDBOX-4. */
export async function playScenario(
  context: PlayContext,
  actor: PartnerActor,
  call: AnyCall,
  played: PlayedCall,
): Promise<Interference> {
  const running = actor.application.scenario;
  if (!running) return null;
  const { scenario, attemptId } = running;
  const operation = call.operation as OperationId;
  const { executor } = context.booking;
  if (isSubmission({ operation })) await noteSubmission(executor, attemptId);
  const play = playAt(scenario, operation);
  if (!play) return null;
  const task = await provoke(executor, attemptId, {
    every: play.every ?? false,
    begins: 'begins' in play.do ? play.do.begins : {},
    afterSubmission: play.at === 'read',
  });
  if (!task) return null;
  played.note(faultText(null, 'begins' in play.do ? play.do.begins : play.do));
  const book = task.input as BookInput;
  return perform({ context, actor, call, played, attemptId, book }, play.do);
}
