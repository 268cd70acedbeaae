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
import { ask, endPayment, type CollectionStep, tryLater } from './collection-step.ts';

// The page ends by the provider's clock.
const afterEndMs = 60_000;

const nextLook = (now: number, { expiresAt }: PaymentLink): number =>
  now < expiresAt ? Math.min(now + linkLookMs, expiresAt + afterEndMs) : now + afterEndMs;

/** The provider has no such page: its request may still arrive, or never does. */
async function missing(step: CollectionStep, intent: Intent): Promise<void> {
  const { executor } = step;
  const verdict = decideMissing(intent);
  if (verdict === 'gone') return endPayment(step, intent, neverArrived(intent));
  if (verdict === 'note') await noteMissing(executor, intent);
  return tryLater(step);
}

async function writeFound(
  step: CollectionStep,
  intent: Intent,
  link: PaymentLink,
  { state, pageReference, url, providerReference }: FoundLink,
): Promise<void> {
  const { executor, inFull } = step;
  if (state === 'none') return missing(step, intent);
  if (state === 'paid') return endPayment(step, intent, { state: 'captured', providerReference });
  if (state === 'expired') return endPayment(step, intent, { state: 'voided' });
  const at = nextLook(inFull.now, link);
  if (url !== null) {
    await recordLinkMade(executor, intent.paymentId, { pageReference: pageReference!, url }, at);
  }
  await lookAtLink(executor, intent.paymentId, at);
}

async function openOf(step: CollectionStep, paymentId: string) {
  const { executor, claim } = step;
  const link = await findOpenLink(executor, claim);
  return link?.paymentId === paymentId
    ? { link, intent: (await findIntent(executor, paymentId))! }
    : null;
}

/** Asks the provider what has become of a link, and writes it. */
export async function followLink(step: CollectionStep, paymentId: string): Promise<void> {
  const { provider, inFull } = step;
  const open = await openOf(step, paymentId);
  if (!open) return;
  const { link, intent } = open;
  const { customerReference } = inFull.customer!;
  const asked = { ...identityOf(intent), pageReference: link.pageReference, customerReference };
  const found = await ask(step, (signal) => provider.findLink(asked, signal));
  if (found.outcome === 'unknown') return tryLater(step);
  return writeFound(step, intent, link, found);
}

/** Ends a link, so that it can no longer be paid. What it has brought already stays, and goes back as surplus. */
export async function endLink(step: CollectionStep, paymentId: string): Promise<void> {
  const { provider } = step;
  const open = await openOf(step, paymentId);
  if (!open) return;
  const { link, intent } = open;
  const { pageReference } = link;
  if (pageReference === null) return followLink(step, paymentId);
  const asked = { ...identityOf(intent), pageReference };
  const ended = await ask(step, (signal) => provider.endLink(asked, signal));
  const isOpen = ended.outcome === 'unknown' || ended.state === 'open';
  if (isOpen) return tryLater(step);
  return writeFound(step, intent, link, ended);
}
