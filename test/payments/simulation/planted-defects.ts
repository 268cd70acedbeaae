/** Defects that the simulation must notice. */
import type { CardProvider, FoundLink } from '../../../src/payments/ports/card-provider.ts';
import type { PlaySettings } from './run.ts';

/** A provider whose list lags behind, as its search does. */
export const withoutLookups = (provider: CardProvider): CardProvider => ({
  ...provider,
  async findPayment(payment, signal) {
    const found = await provider.findPayment(payment, signal);
    if (found.outcome === 'unknown' || payment.providerReference !== null) return found;
    return { ...found, state: 'none' };
  },
});

const nothing = { outcome: 'done', items: [], payments: [], next: null } as const;

// Only the comparison after a restore uses these lists in a simulated run.
const without =
  (list: 'listPayments' | 'listRefunds' | 'listDisputes' | 'listOpenLinks') =>
  (provider: CardProvider): CardProvider => ({
    ...provider,
    [list]: () => Promise.resolve(structuredClone(nothing)),
  });

/** A provider whose answer about a payment link is changed. */
const linksSeenAs =
  (seen: (link: FoundLink) => FoundLink) =>
  (provider: CardProvider): CardProvider => ({
    ...provider,
    async findLink(link, signal) {
      const found = await provider.findLink(link, signal);
      return found.outcome === 'unknown' ? found : { ...found, ...seen(found) };
    },
    async endLink(link, signal) {
      const found = await provider.endLink(link, signal);
      return found.outcome === 'unknown' ? found : { ...found, ...seen(found) };
    },
  });

const expired = { state: 'expired', url: null, providerReference: null } as const;

/** The page of a link can still be paid after its end. */
const neverEnding = (provider: CardProvider): CardProvider => ({
  ...provider,
  endLink: ({ pageReference }) => Promise.resolve({ outcome: 'done', pageReference, ...expired }),
});

/** A refund that the bank has sent back looks as if it stood. */
const standing = (provider: CardProvider): CardProvider => ({
  ...provider,
  async findRefund(refund, signal) {
    const found = await provider.findRefund(refund, signal);
    const isBack = found.outcome === 'done' && found.state === 'failed';
    return isBack ? { ...found, state: 'done', declineCode: null } : found;
  },
});

const dropped = (table: string, condition: string): string =>
  `CREATE FUNCTION dropped() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
   CREATE TRIGGER a_dropped BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION dropped()`;

const changed = (table: string, change: string): string =>
  `CREATE FUNCTION changed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${change}; RETURN NEW; END $$;
   CREATE TRIGGER a_changed BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION changed()`;

/** A defect: a changed provider, or statements that damage the database. */
export interface PlantedDefect extends PlaySettings {
  damage?: string;
}

/** Each planted defect, by what is wrong: the seeds that are played must find it. */
export const plantedDefects: Readonly<Record<string, PlantedDefect>> = {
  'lookups miss payments': { change: withoutLookups, stepsAtMost: 3_000 },
  'a restore misses payments': { change: without('listPayments'), isLater: true },
  'a restore misses refunds': { change: without('listRefunds'), isLater: true },
  'a restore misses disputes': { change: without('listDisputes'), isLater: true },
  'a restore misses payment links': { change: without('listOpenLinks'), isLater: true },
  'a link that was paid is taken for one that has expired, and its part is charged again': {
    change: linksSeenAs((link) => (link.state === 'paid' ? { ...link, ...expired } : link)),
    isLater: true,
  },
  'a link that has ended can still be paid, beside the next one': {
    change: neverEnding,
    isLater: true,
  },
  'a link that nobody has paid is taken for one that was paid': {
    change: linksSeenAs((link) =>
      link.state === 'expired' ? { ...link, state: 'paid', providerReference: null } : link,
    ),
    isLater: true,
  },
  'a refund that the bank has sent back is not seen': { change: standing, isLater: true },
  'money that was paid elsewhere is not entered': {
    damage: dropped('payment_entries', `NEW.kind = 'collected_elsewhere'`),
    isLater: true,
  },
  'money that went back elsewhere opens what it takes': {
    damage: dropped('payment_entries', `NEW.kind = 'uncovered'`),
    isLater: true,
  },
  'goodwill is forgotten when the price changes': {
    damage: `CREATE FUNCTION forgotten() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO payment_entries (application_id, checkout_id, kind, debit, credit, amount_minor, currency)
        SELECT e.application_id, e.checkout_id, 'raised', 'open', 'due', e.amount_minor, e.currency
        FROM payment_entries e WHERE e.checkout_id = NEW.booking_id
          AND e.kind IN ('reduced', 'written_off', 'given_back', 'uncovered');
        RETURN NULL; END $$;
      CREATE TRIGGER z_forgotten AFTER UPDATE OF charges ON reservations FOR EACH ROW EXECUTE FUNCTION forgotten()`,
    isLater: true,
  },
  'a dispute that was lost takes nothing': {
    damage: 'ALTER TABLE payment_disputes DISABLE TRIGGER payment_disputes_entered',
    isLater: true,
  },
  'a card whose payment is disputed is charged': {
    damage: changed('payment_disputes', 'NEW.released_at := NEW.opened_at'),
    isLater: true,
  },
  'staff have stopped collecting, and it goes on': {
    damage: changed('payment_accounts', 'NEW.stopped_at := NULL'),
    isLater: true,
  },
  'staff decide that a booking was not made, and its money stays': {
    damage: 'ALTER TABLE bookings DISABLE TRIGGER bookings_return_payment',
  },
};
