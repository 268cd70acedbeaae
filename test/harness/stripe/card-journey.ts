/** Checkouts that the guest's card pays, at a service with the stand-in. */
import { eventually } from '../eventually.ts';
import { Journey } from '../journey.ts';
import type { Partner } from '../partner.ts';
import type { PaidService } from './service.ts';

const withinMs = 20_000;

/** Sets up a card payment; the guest of the checkout enters a card that is taken. Returns its payment method. */
export async function enterCard(
  { standIn }: Pick<PaidService, 'standIn'>,
  journey: Journey,
): Promise<string> {
  await journey.done('setupPayment');
  await eventually(async () => (await journey.read()).paymentSetup?.state === 'ready', withinMs);
  const { paymentSetup } = await journey.read();
  return standIn.guest.confirmSetup(paymentSetup?.clientSecret ?? '', 'pm_card_visa')!;
}

/** Sets up, verifies and submits a card payment; the guest and promotions are saved before. */
export async function submitWithCard(
  service: Pick<PaidService, 'standIn'>,
  journey: Journey,
): Promise<void> {
  const paymentMethodId = await enterCard(service, journey);
  await journey.done('verifyPayment', { body: { paymentMethodId } });
  await journey.send('submit');
}

/** Waits until the checkout is confirmed; returns the reference of its reservation. */
export async function confirmedReference(journey: Journey): Promise<string> {
  await eventually(async () => (await journey.read()).state === 'confirmed', withinMs);
  return (await journey.read()).reference!;
}

/** A submitted checkout of a new guest that a card pays. */
export async function submittedByCard(
  service: Pick<PaidService, 'standIn'>,
  card: Partner,
): Promise<Journey> {
  const journey = new Journey(card, await card.checkout());
  await journey.done('saveGuest');
  await submitWithCard(service, journey);
  return journey;
}
