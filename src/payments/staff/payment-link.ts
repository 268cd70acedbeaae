/** Payment links: a hosted page of the card provider for what is open. Spec: MONEY-19. */
import { askPort, readGuests } from '../../bookings/index.ts';
import { cardLimitsOf } from '../../contract/card-minimums.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';
import { instant } from '../../contract/time.ts';
import { todayAt } from '../../pricing/index.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { CardProvider, FoundLink } from '../ports/card-provider.ts';
import { freeDay } from '../rules/allocation.ts';
import { identityOf } from '../rules/effect-name.ts';
import { type Intent, unknownResult } from '../rules/intent.ts';
import {
  decideNewLink,
  type LinkDecision,
  linkLastsMs,
  linkLookMs,
} from '../rules/payment-link.ts';
import { type AccountOfReservation, holdAccount } from '../store/accounts-in-full.ts';
import { readAccount } from '../store/accounts.ts';
import { hasCustomer, saveCustomer } from '../store/cards.ts';
import { findIntent, recordIntent } from '../store/intents.ts';
import {
  claimForLink,
  findOpenLink,
  insertLink,
  type PaymentLink,
  recordLinkMade,
} from '../store/payment-links.ts';
import { wordsOfCode } from '../stripe/code-words.ts';
import { accountNamed } from './show-payments.ts';

/** The dependencies of payment links. */
export interface LinkContext {
  database: Database;
  /** Null: there is none. */
  cardProvider: CardProvider | null;
  /** Where the guest is sent after the payment. */
  baseUrl: string;
  /** The time of one call of the provider, in milliseconds. */
  askedMs?: number;
}

/** A link with its payment. */
interface OpenLink {
  link: PaymentLink;
  intent: Intent;
}

const usualAskedMs = 10_000;

const unanswered = refuseStaff(
  'unavailable',
  'The card provider does not answer. Try again: there will be one link.',
);

const refusals: Readonly<Record<NonNullable<LinkDecision['refusal']>, string>> = {
  cancelled: 'it is cancelled',
  nothing_open: 'nothing is open',
  under_way: 'a charge of the card is under way; try again in a minute',
  too_small: 'what is open is below the least that the card provider takes',
};

const refused = (reference: string, why: string): Refusal<'conflict'> =>
  refuseConflict(`There is no payment link for ${reference}: ${why}.`);

async function openLinkOf(
  database: Database,
  account: AccountOfReservation,
): Promise<OpenLink | null> {
  const link = await findOpenLink(database, account);
  return link && { link, intent: (await findIntent(database, link.paymentId))! };
}

/** Writes what has become of a link. Null: it can still be paid. */
async function written(
  { database }: LinkContext,
  { intent }: OpenLink,
  { state, providerReference }: FoundLink,
): Promise<'ended' | null> {
  if (state === 'paid')
    await recordIntent(database, intent, { state: 'captured', providerReference });
  if (state === 'expired') await recordIntent(database, intent, { state: 'voided' });
  return state === 'paid' || state === 'expired' ? 'ended' : null;
}

/** Ends a link, as far as the provider answers: what it has brought already stays, and goes back as surplus. */
async function endLink(context: LinkContext, open: OpenLink): Promise<'ended' | null> {
  const { cardProvider, askedMs = usualAskedMs } = context;
  const { pageReference } = open.link;
  if (!cardProvider || pageReference === null) return null;
  const ended = await askPort(askedMs, (signal) =>
    cardProvider.endLink({ ...identityOf(open.intent), pageReference }, signal),
  );
  return ended.outcome === 'done' ? written(context, open, ended) : null;
}

/**
 * Ends the open link of a reservation before staff record money. Without an answer, a worker ends it. Null: there is no
 * reason not to record it.
 */
export async function endOpenLink(
  context: LinkContext,
  reference: string,
): Promise<Refusal<'not_found'> | null> {
  const account = await accountNamed(context.database, reference);
  if (isRefusal(account)) return account;
  const open = await openLinkOf(context.database, account);
  if (open) await endLink(context, open);
  return null;
}

/** Makes the provider's customer of a checkout that has left no card. Null: there is one. Spec: MONEY-23. */
async function ensureCustomer(
  { database, askedMs = usualAskedMs }: LinkContext,
  provider: CardProvider,
  account: AccountOfReservation,
): Promise<Refusal<'unavailable'> | null> {
  const { applicationId, checkoutId, open, owed } = account;
  // Where nothing is open, there will be no link.
  if (open + owed <= 0 || (await hasCustomer(database, account))) return null;
  const guest = (await readGuests(database, [account])).get(checkoutId) ?? null;
  const customer = {
    applicationId,
    checkoutId,
    guest: guest && { name: `${guest.firstName} ${guest.lastName}`.trim(), email: guest.email },
  };
  const made = await askPort(askedMs, (signal) => provider.prepareCustomer(customer, signal));
  if (made.outcome !== 'done') return unanswered;
  await saveCustomer(database, account, made.customerReference);
  return null;
}

/** Writes a link for what is open, under the lock of the account. Undefined: another one was faster. */
const begin = (
  { database }: LinkContext,
  { kind }: CardProvider,
  actor: string,
  account: AccountOfReservation,
) =>
  auditedChange(
    database,
    async (executor): Promise<Intent | Refusal<'conflict'> | undefined> => {
      const { applicationId, checkoutId, reference, currency } = account;
      const locked = await holdAccount(executor, applicationId, checkoutId);
      if (isRefusal(locked)) return locked;
      const { fence, isHeld } = await claimForLink(executor, account);
      if (isHeld) {
        return refused(reference, 'after a restore, nothing is collected before `payment start`');
      }
      if (await findOpenLink(executor, account)) return undefined;
      const inFull = (await readAccount(executor, { applicationId, checkoutId, fence, tries: 0 }))!;
      const { amountMinor, refusal } = decideNewLink({ ...inFull, limits: cardLimitsOf(currency) });
      if (refusal !== null) return refused(reference, refusals[refusal]);
      const dueOn = freeDay('link', inFull.payments, todayAt(inFull.now, inFull.timeZone));
      const { attemptId } = inFull;
      const expiresAt = inFull.now + linkLastsMs;
      const link = { applicationId, checkoutId, attemptId, dueOn, amountMinor, currency };
      return insertLink(executor, { ...link, provider: kind, expiresAt });
    },
    ({ amountMinor, currency }) => ({
      actor,
      action: 'payment.link',
      applicationId: account.applicationId,
      reference: account.reference,
      details: { amount: amountMinor, currency },
    }),
  );

/** Makes the page of a link, or finds it, if an answer was lost. */
async function madePage(
  { database, baseUrl, askedMs = usualAskedMs }: LinkContext,
  provider: CardProvider,
  { reference }: AccountOfReservation,
  { link, intent }: OpenLink,
): Promise<PaymentLink | Refusal<'conflict' | 'unavailable'>> {
  const { amountMinor, currency, applicationId, checkoutId, purpose } = intent;
  const { customerReference } = intent.customer!;
  const lookAt = intent.now + linkLookMs;
  if (intent.state === 'unknown') {
    const asked = { ...identityOf(intent), pageReference: null, customerReference };
    const found = await askPort(askedMs, (signal) => provider.findLink(asked, signal));
    if (found.outcome === 'unknown') return unanswered;
    if (found.state === 'open') {
      const page = { pageReference: found.pageReference!, url: found.url! };
      const known = await recordLinkMade(database, intent.paymentId, page, lookAt);
      if (known) return known;
    }
    if (found.state !== 'none') return unanswered;
  }
  const asked = await recordIntent(database, intent, { state: 'requested', isAsked: true });
  if (asked.state !== 'requested') return unanswered;
  const made = await askPort(askedMs, (signal) =>
    provider.createLink(
      {
        ...identityOf(asked),
        amountMinor,
        currency,
        customerReference,
        description: `Reservation ${reference}`,
        metadata: { applicationId, checkoutId, purpose, reference },
        expiresAt: link.expiresAt,
        returnUrl: `${baseUrl}/payments/paid`,
      },
      signal,
    ),
  );
  if (made.outcome === 'unknown') {
    await recordIntent(database, asked, unknownResult(made));
    return unanswered;
  }
  if (made.outcome === 'refused') {
    const { declineCode } = made;
    await recordIntent(database, asked, { state: 'voided', declineCode });
    const why = declineCode === null ? null : wordsOfCode(declineCode);
    return refused(
      reference,
      `the card provider refuses it (${why ?? declineCode ?? 'no reason'})`,
    );
  }
  const known = await recordLinkMade(database, intent.paymentId, made, lookAt);
  if (!known) return unanswered;
  return known;
}

/** Whether an open link asks for what a new one would. */
async function isCurrent(
  { database }: LinkContext,
  account: AccountOfReservation,
  { link, intent }: OpenLink,
): Promise<boolean | Refusal<'conflict'>> {
  if (link.expiresAt <= intent.now) return false;
  const decided = await database.transaction(async (executor) => {
    const { applicationId, checkoutId, currency } = account;
    const locked = await holdAccount(executor, applicationId, checkoutId);
    if (isRefusal(locked)) return locked;
    const { fence } = await claimForLink(executor, account);
    const inFull = (await readAccount(executor, { applicationId, checkoutId, fence, tries: 0 }))!;
    return decideNewLink({ ...inFull, limits: cardLimitsOf(currency) });
  });
  if (isRefusal(decided)) return decided;
  return decided.refusal === null && decided.amountMinor === intent.amountMinor;
}

/**
 * Makes a payment link for what is due by today, or for all that is open where nothing is due yet. While it is open,
 * nothing of that is charged to the card. An open link for the same amount is returned again.
 */
export async function makePaymentLink(context: LinkContext, actor: string, reference: string) {
  const { database, cardProvider } = context;
  const account = await accountNamed(database, reference);
  if (isRefusal(account)) return account;
  if (!cardProvider) return refused(reference, 'there is no card provider');
  const before = await openLinkOf(database, account);
  const isUsable = before !== null && (await isCurrent(context, account, before));
  if (isRefusal(isUsable)) return isUsable;
  if (before && !isUsable && (await endLink(context, before)) === null) return unanswered;
  const missing = await ensureCustomer(context, cardProvider, account);
  if (missing) return missing;
  const begun = await begin(context, cardProvider, actor, account);
  if (isRefusal(begun)) return begun;
  const open = await openLinkOf(database, account);
  if (!open) return unanswered;
  const { link, intent } = open;
  const page = link.url === null ? await madePage(context, cardProvider, account, open) : link;
  if (isRefusal(page)) return page;
  const { url, expiresAt } = page;
  return {
    reference,
    amount: intent.amountMinor,
    currency: intent.currency,
    url: url!,
    expiresAt: instant(expiresAt),
  };
}
