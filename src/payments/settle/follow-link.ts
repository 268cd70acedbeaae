/** What becomes of payment links. */
import type { FoundLink } from '../ports/card-provider.ts';
import { identityOf } from '../rules/effect-name.ts';
import { decideMissing, type Intent, neverArrived } from '../rules/intent.ts';
import { linkLookMs } from '../rules/payment-link.ts';
import { findIntent, noteMissing } from '../store/intents.ts';
import {
  findOpenLink,
  lookAtLink,
  type PaymentLink,
  recordLinkMade,
} from '../store/payment-links.ts';
import { ask, endPayment, type Settling, tryLater } from './settling.ts';

// The page ends by the provider's clock.
const afterEndMs = 60_000;

const nextLook = (now: number, { expiresAt }: PaymentLink): number =>
  now < expiresAt ? Math.min(now + linkLookMs, expiresAt + afterEndMs) : now + afterEndMs;

/** The provider has no such page: its request may still arrive, or never does. */
async function missing(settling: Settling, intent: Intent): Promise<void> {
  const { executor } = settling;
  const verdict = decideMissing(intent);
  if (verdict === 'gone') return endPayment(settling, intent, neverArrived(intent));
  if (verdict === 'note') await noteMissing(executor, intent);
  return tryLater(settling);
}

async function writeFound(
  settling: Settling,
  intent: Intent,
  link: PaymentLink,
  { state, pageReference, url, providerReference }: FoundLink,
): Promise<void> {
  const { executor, file } = settling;
  if (state === 'none') return missing(settling, intent);
  if (state === 'paid')
    return endPayment(settling, intent, { state: 'captured', providerReference });
  if (state === 'expired') return endPayment(settling, intent, { state: 'voided' });
  const at = nextLook(file.now, link);
  if (url !== null) {
    await recordLinkMade(executor, intent.paymentId, { pageReference: pageReference!, url }, at);
  }
  await lookAtLink(executor, intent.paymentId, at);
}

async function openOf(settling: Settling, paymentId: string) {
  const { executor, claim } = settling;
  const link = await findOpenLink(executor, claim);
  return link?.paymentId === paymentId
    ? { link, intent: (await findIntent(executor, paymentId))! }
    : null;
}

/** Asks the provider what has become of a link, and writes it. */
export async function followLink(settling: Settling, paymentId: string): Promise<void> {
  const { provider, file } = settling;
  const open = await openOf(settling, paymentId);
  if (!open) return;
  const { link, intent } = open;
  const { customerReference } = file.customer!;
  const asked = { ...identityOf(intent), pageReference: link.pageReference, customerReference };
  const found = await ask(settling, (signal) => provider.findLink(asked, signal));
  if (found.outcome === 'unknown') return tryLater(settling);
  return writeFound(settling, intent, link, found);
}

/** Ends a link, so that it can no longer be paid. What it has brought already stays, and goes back as surplus. */
export async function endLink(settling: Settling, paymentId: string): Promise<void> {
  const { provider } = settling;
  const open = await openOf(settling, paymentId);
  if (!open) return;
  const { link, intent } = open;
  const { pageReference } = link;
  if (pageReference === null) return followLink(settling, paymentId);
  const asked = { ...identityOf(intent), pageReference };
  const ended = await ask(settling, (signal) => provider.endLink(asked, signal));
  const isOpen = ended.outcome === 'unknown' || ended.state === 'open';
  if (isOpen) return tryLater(settling);
  return writeFound(settling, intent, link, ended);
}
