/**
 * Walks whole bookings against the running service, by the calls that a partner would make, and tells
 * what happens on the way. Start the service first: `npm start`.
 */
import { book, createQuote, guestWith } from './booking.ts';
import { credentialsPath, readCredentials } from './credentials.ts';
import { DemoFailure } from './failure.ts';
import { findStay, showCalendar, showListings, showSite, showToken, type Stay } from './finding.ts';
import { Narrator } from './narrator.ts';
import { requestReservation } from './one-call.ts';
import { showConfirmation, showEvents, showReservation } from './outcome.ts';
import { ApiError, Partner } from './partner.ts';

const unexpected = (state: string): string =>
  `The booking ended ${state} instead of confirmed: look at the log of the service, and run "npm run demo" again.`;

async function payByCard(tell: Narrator, partner: Partner): Promise<Stay> {
  tell.part(
    'A booking paid by the guest’s card',
    'This application is card-paying: the checkout has payment steps. We follow nextActions, not a fixed order.',
  );
  await showToken(tell, partner);
  await showSite(tell, partner);
  await showListings(tell, partner);
  const stay = await findStay(tell, partner);
  await showCalendar(tell, partner, stay);
  const quote = await createQuote(tell, partner, stay);
  const ended = await book(tell, partner, quote, guestWith());
  if (ended.at.reference === undefined) throw new DemoFailure(unexpected(ended.at.state));
  await showConfirmation(tell, partner, ended);
  await showReservation(tell, partner, ended.at.reference);
  await showEvents(tell, partner, ended.at.checkoutId);
  return stay;
}

async function inOneCall(tell: Narrator, partner: Partner, stay: Stay): Promise<void> {
  tell.part(
    'A reservation in one call',
    'This application is partner-settled: you collect the money yourself. It can use checkouts as well, without payment steps; or ask for the reservation in one call.',
  );
  await showToken(tell, partner);
  const quote = await createQuote(tell, partner, stay);
  const request = await requestReservation(tell, partner, quote);
  if (request.reference === null) throw new DemoFailure(unexpected(request.state));
  await showReservation(tell, partner, request.reference);
  await showEvents(tell, partner, request.reservationRequestId);
}

async function soldOut(tell: Narrator, partner: Partner, stay: Stay): Promise<void> {
  tell.part(
    'A booking that is refused',
    'Between quote and submit somebody else can be faster. In the simulation the guest’s email plays that: +sold_out before the @. Other suffixes play other outcomes.',
  );
  const quote = await createQuote(tell, partner, stay);
  await book(tell, partner, quote, guestWith('sold_out'));
  tell.step(
    'What to do next',
    'failed is final: no reservation exists and nobody was charged. nextActions says refresh_quote: ask for a new quote, for other dates or another home if need be, show the guest its price and terms, and open a new checkout with it. The old quote and checkout are used up.',
  );
  await createQuote(tell, partner, stay);
  tell.note('From here it goes on as before, with a new checkout.');
}

async function walk(): Promise<void> {
  const { baseUrl, card, partner } = await readCredentials(credentialsPath(process.env));
  const tell = new Narrator({
    write: (text) => process.stdout.write(text),
    coloured: process.stdout.isTTY === true && !process.env['NO_COLOR'],
  });
  tell.note(`Base URL: ${baseUrl}   > what we send   < what comes back, in part`);
  const stay = await payByCard(tell, new Partner(baseUrl, card));
  const settledByPartner = new Partner(baseUrl, partner);
  await inOneCall(tell, settledByPartner, stay);
  await soldOut(tell, settledByPartner, stay);
  tell.part(
    'That is all',
    'Next: docs/guides/first-booking.md has these calls as curl, docs/guides/simulation.md the other outcomes, and /docs on the service the whole contract.',
  );
}

// Whoever reads along may stop reading.
process.stdout.on('error', () => process.exit());

try {
  await walk();
} catch (error) {
  const known = error instanceof DemoFailure || error instanceof ApiError;
  const text = known ? error.message : String((error as Error).stack ?? error);
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
