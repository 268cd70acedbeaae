/**
 * Makes complete bookings against the running service with a partner's calls, and explains each step.
 * Start the service first: `npm start`.
 */
import { LatchkeyError } from '../../packages/partner/src/index.ts';
import { book, createQuote, guestWith } from './booking.ts';
import {
  type ApplicationKey,
  credentialsPath,
  namedApplication,
  readCredentials,
} from './credentials.ts';
import { DemoFailure } from './failure.ts';
import { findStay, showCalendar, showListings, showSite, showToken, type Stay } from './finding.ts';
import { Narrator } from './narrator.ts';
import { requestReservation } from './one-call.ts';
import { showConfirmation, showEvents, showReservation } from './outcome.ts';
import { Partner } from './partner.ts';

const unexpected = (state: string): string =>
  `The booking ended ${state} instead of confirmed: look at the log of the service, and run "npm run demo" again.`;

const cardRefused =
  'The card was declined and nothing was charged. Run the demo again with another test card.';

/** A service with the operator's own homes, and the application that books there. */
interface OwnHomes {
  narrator: Narrator;
  baseUrl: string;
  application: ApplicationKey;
}

async function payByCard(narrator: Narrator, partner: Partner): Promise<Stay> {
  narrator.part(
    'A booking paid by the guest’s card',
    'This application is card-paying: the checkout has payment steps. We follow nextActions, not a fixed order.',
  );
  await showToken(narrator, partner);
  await showSite(narrator, partner);
  await showListings(narrator, partner);
  const stay = await findStay(narrator, partner);
  await showCalendar(narrator, partner, stay);
  const quote = await createQuote(narrator, partner, stay);
  const finished = await book(narrator, partner, quote, guestWith(), 'card');
  const { state, reference, failure, checkoutId } = finished.status;
  if (reference === undefined) {
    throw new DemoFailure(failure?.reason === 'refused' ? cardRefused : unexpected(state));
  }
  await showConfirmation(narrator, partner, finished);
  await showReservation(narrator, partner, reference);
  await showEvents(narrator, partner, checkoutId);
  return stay;
}

const inOneCallTitle = 'A reservation in one call';
const inOneCallText =
  'This application is partner-settled: you collect the money yourself. It can use checkouts without payment steps, or request the reservation in one call.';

/** A booking whose guest enters a test card on the page of this service. */
async function tryCard({ narrator, baseUrl, application }: OwnHomes): Promise<void> {
  await payByCard(narrator, new Partner(baseUrl, application));
}

async function requestStay(narrator: Narrator, partner: Partner, stay: Stay): Promise<void> {
  const quote = await createQuote(narrator, partner, stay);
  const request = await requestReservation(narrator, partner, quote);
  if (request.reference === null) throw new DemoFailure(unexpected(request.state));
  await showReservation(narrator, partner, request.reference);
  await showEvents(narrator, partner, request.reservationRequestId);
}

async function soldOut(narrator: Narrator, partner: Partner, stay: Stay): Promise<void> {
  narrator.part(
    'A booking that is refused',
    'Between quote and submit another guest can book the same nights. In the simulation the guest’s email selects this outcome: +sold_out before the @. Other suffixes select other outcomes.',
  );
  const quote = await createQuote(narrator, partner, stay);
  await book(narrator, partner, quote, guestWith('sold_out'), 'partner');
  narrator.step(
    'What to do next',
    'failed is final: no reservation exists and nobody was charged. nextActions contains refresh_quote: create a new quote, if necessary for other dates or another home, show the guest its price and terms, and create a new checkout with it. The old quote and checkout cannot be used again.',
  );
  await createQuote(narrator, partner, stay);
  narrator.note('Continue as before with a new checkout.');
}

async function inOneCall(narrator: Narrator, partner: Partner, stay: Stay): Promise<void> {
  narrator.part(inOneCallTitle, inOneCallText);
  await showToken(narrator, partner);
  await requestStay(narrator, partner, stay);
}

const needsPay =
  'This application is card-paying, so it has no reservation requests. Run "npm run demo -- --pay". Nothing was booked.';

/** A reservation of one of the operator's own homes, whose nights are then taken. */
async function ownHomes({ narrator, baseUrl, application }: OwnHomes): Promise<void> {
  narrator.part(inOneCallTitle, inOneCallText);
  const partner = new Partner(baseUrl, application);
  await showToken(narrator, partner);
  await showSite(narrator, partner);
  await showListings(narrator, partner);
  const stay = await findStay(narrator, partner);
  await requestStay(narrator, partner, stay).catch((error: unknown) => {
    const isCardPaying = error instanceof LatchkeyError && error.error.code === 'not_configured';
    throw isCardPaying ? new DemoFailure(needsPay) : error;
  });
  await showCalendar(narrator, partner, stay);
  narrator.note('The nights of the stay are taken now: no other guest can have them.');
}

async function simulation(narrator: Narrator): Promise<void> {
  const { baseUrl, card, partner } = await readCredentials(credentialsPath(process.env));
  showBaseUrl(narrator, baseUrl);
  const stay = await payByCard(narrator, new Partner(baseUrl, card));
  const settledByPartner = new Partner(baseUrl, partner);
  await inOneCall(narrator, settledByPartner, stay);
  await soldOut(narrator, settledByPartner, stay);
}

const payNeedsApplication =
  '--pay needs a card-paying application of a service in the environment test, with test keys of the card provider: set APPLICATION_ID and APPLICATION_KEY.';

/** Whether the guest shall pay on the page of the service. Throws `DemoFailure` on any other word. */
function wantsCard(words: readonly string[]): boolean {
  const unknown = words.find((word) => word !== '--pay');
  if (unknown !== undefined) throw new DemoFailure(`The demo knows --pay only, not ${unknown}.`);
  return words.includes('--pay');
}

const showBaseUrl = (narrator: Narrator, baseUrl: string): void =>
  narrator.note(`Base URL: ${baseUrl}   > request   < part of the response`);

async function run(): Promise<void> {
  const narrator = new Narrator({
    write: (text) => process.stdout.write(text),
    coloured: process.stdout.isTTY === true && !process.env['NO_COLOR'],
  });
  const pays = wantsCard(process.argv.slice(2));
  const named = namedApplication(process.env);
  if (named) {
    showBaseUrl(narrator, named.baseUrl);
    await (pays ? tryCard : ownHomes)({ narrator, ...named });
  } else if (pays) {
    throw new DemoFailure(payNeedsApplication);
  } else {
    await simulation(narrator);
  }
  narrator.part(
    'Done',
    'Next: docs/partners/first-booking.md has these calls with curl, docs/partners/simulation.md describes the other outcomes, and /docs on the service has the complete contract.',
  );
}

// The reader of the output may close the pipe.
process.stdout.on('error', () => process.exit());

try {
  await run();
} catch (error) {
  const known = error instanceof DemoFailure || error instanceof LatchkeyError;
  const text = known ? error.message : String((error as Error).stack ?? error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
