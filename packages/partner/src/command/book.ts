/** `latchkey-partner book`: a guided booking of a partner-settled application. */
import { bookStay } from '../client/book.ts';
import { currencyDigits } from '../contract/currency-digits.ts';
import type { Quote, SearchPage } from '../contract/types.ts';
import { type CommandContext, numberOf, textOf, UsageError } from './context.ts';

const dayMs = 86_400_000;
const dayIn = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

/** An amount in minor units, as people read it. */
function moneyText(amount: number | null, currency: string | null): string {
  if (amount === null || currency === null) return 'price on request';
  const digits = currencyDigits(currency);
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`;
}

interface Wanted {
  checkIn: string;
  checkOut: string;
  party: { adults: number; children: number };
}

function wantedOf(context: CommandContext): Wanted {
  const checkIn = textOf(context, 'check-in') ?? dayIn(60);
  const checkOut =
    textOf(context, 'check-out') ??
    new Date(Date.parse(checkIn) + 3 * dayMs).toISOString().slice(0, 10);
  const party = {
    adults: numberOf(context, 'adults') ?? 2,
    children: numberOf(context, 'children') ?? 0,
  };
  return { checkIn, checkOut, party };
}

const cardAdvice =
  'Guests of this application pay by card at the service, on a page of yours: make the calls one by one, as the guide to card payments does.';

type Found = SearchPage['items'][number];

async function choose(context: CommandContext, wanted: Wanted): Promise<string | null> {
  const named = textOf(context, 'listing');
  if (named !== undefined) return named;
  const { client, signal, say, ask } = context;
  const { items } = await client.call(
    'distribution.listing.search',
    { body: { ...wanted, limit: 9 } },
    { signal },
  );
  if (items.length === 0) return null;
  items.forEach(({ listing, total, currency }: Found, at) => {
    say(`${at + 1}  ${listing.name}, ${moneyText(total, currency)}`);
  });
  const answer = ask ? (await ask(`Which home? [1] `)) || '1' : '1';
  return items[Number(answer) - 1]?.listing.listingId ?? null;
}

async function accepts(
  { ask, say, flags }: CommandContext,
  { charges, terms, checkIn, checkOut }: Quote,
): Promise<boolean> {
  say(`${checkIn} to ${checkOut}: ${moneyText(charges.total, charges.currency)}`);
  for (const { label, amount } of charges.lines)
    say(`  ${label}: ${moneyText(amount, charges.currency)}`);
  for (const { label, body } of terms.policies) say(`${label}: ${body}`);
  for (const { before, refundAmount } of terms.cancellation) {
    say(`  cancelled before ${before}: ${moneyText(refundAmount, charges.currency)} are refunded`);
  }
  if (flags['yes'] === true) return true;
  if (!ask) throw new UsageError('There is nobody to ask: confirm with --yes.');
  return /^y(es)?$/i.test(await ask('Book it? [y/N] '));
}

/** Searches, quotes, asks, books and waits for the outcome. Returns the exit code: 1 if nothing was booked. */
export async function book(context: CommandContext): Promise<number> {
  const { client, signal, say, show } = context;
  const wanted = wantedOf(context);
  const listingId = await choose(context, wanted);
  if (listingId === null) {
    say(`No home is free from ${wanted.checkIn} to ${wanted.checkOut}.`);
    show({ state: 'failed', reason: 'no_home' });
    return 1;
  }
  const guest = {
    firstName: textOf(context, 'first-name') ?? 'Ada',
    lastName: textOf(context, 'last-name') ?? 'Lovelace',
    email: textOf(context, 'email') ?? 'ada@example.com',
    phone: textOf(context, 'phone') ?? '+351912345678',
  };
  const partnerReference = textOf(context, 'reference');
  const input = {
    listingId,
    ...wanted,
    guest,
    ...(partnerReference !== undefined && { partnerReference }),
  };
  const result = await bookStay(
    client,
    { ...input, accept: (quote) => accepts(context, quote) },
    { signal },
  );
  show(result);
  if (result.state === 'failed') {
    say(`Not booked: ${result.reason}.`);
    if (result.reason === 'needs_payment') say(cardAdvice);
    return 1;
  }
  say(`Confirmed: ${result.confirmation.reference}.`);
  return 0;
}
