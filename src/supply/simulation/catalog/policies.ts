import type {
  CancellationRule,
  PartyRules,
  PaymentPlan,
  Policy,
  RateCard,
} from '../../../domain/listing.ts';
import type { Home } from './shapes.ts';

/** The policies that a guest of a home reads: they say in words what its rules say in numbers. */
export function policiesOf(home: Home): Policy[] {
  const { from, until, entry } = home.arrival;
  return [
    { label: 'Check-in and check-out', body: `Arrive from ${from}, leave by ${until}. ${entry}` },
    { label: 'House rules', body: home.rules },
    ...childPolicy(home.party),
    { label: 'Pets', body: petText(home.party, home.rates) },
    { label: 'Payment', body: paymentText(home.rates.paymentPlan) },
    { label: 'Cancellation', body: cancellationText(home.cancellation) },
  ];
}

function childPolicy({ children, infants }: PartyRules): Policy[] {
  if (children && infants) return [];
  if (!children && !infants) return [childless('This home takes adults only, from 16 years on.')];
  if (children) return [childless('Children from two years on are welcome. Infants cannot stay.')];
  return [
    childless('Infants in a travel cot are welcome. Children of two to fifteen cannot stay.'),
  ];
}

function childless(body: string): Policy {
  return { label: 'Children', body };
}

function petText({ maxPets }: PartyRules, { fees }: RateCard): string {
  if (maxPets === 0) return 'No pets stay here.';
  const many = maxPets === 1 ? 'One pet is welcome' : `Up to ${maxPets} pets are welcome`;
  const paid = fees.some(({ per }) => per === 'pet' || per === 'pet_night');
  return `${many}${paid ? ', for a fee' : ', at no charge'}. Keep them off the beds.`;
}

function paymentText({ dueNow, balanceDaysBefore }: PaymentPlan): string {
  if (dueNow === 10_000) return 'The whole price is due when you book.';
  return `${percent(dueNow)} of the price is due when you book, the balance ${balanceDaysBefore} days before arrival.`;
}

function cancellationText(rules: readonly CancellationRule[]): string {
  if (rules.length === 0) return 'A booking of this home cannot be cancelled for a refund.';
  const sentences = rules.map(({ daysBefore, refund }) => {
    const share = refund === 10_000 ? 'everything' : percent(refund);
    return `Cancel at least ${daysBefore} days before arrival and ${share} comes back.`;
  });
  return `${sentences.join(' ')} After that, nothing does.`;
}

function percent(share: number): string {
  return `${share / 100} %`;
}
