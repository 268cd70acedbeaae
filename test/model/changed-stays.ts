/** What a change of a stay costs and changes, whoever asks for it. */
import type { Charges } from '../../src/contract/partner/schemas/quote.ts';
import { keptCharges, recalculatedCharges, samePrice, stayOf } from '../../src/pricing/index.ts';
import type { PriceChoice } from '../../src/bookings/rules/change-reservation.ts';
import {
  chargesOf,
  currencyOf,
  datesOf,
  isFree,
  refundNow,
  serveOutside,
  simulatedStay,
  stayNamed,
  stayWords,
  take,
  todayAtHome,
  type Inventory,
  type Taken,
  type WantedStay,
} from './homes.ts';
import { bookingOf } from './bookings.ts';
import type { Account, AccountName, BookingName, Reservation, StayName } from './world.ts';

/** The stay that a partner wantedStays. */
export function stayAfter(
  inventory: Inventory | null,
  stay: StayName,
  wanted: WantedStay,
): StayName {
  if (!inventory) return simulatedStay(stay, wanted);
  const { home, from: was, nights, party } = stayWords(stay);
  const from = wanted.from ?? was;
  const to = wanted.to ?? was + nights;
  return stayNamed({ home, from, nights: to - from, party: wanted.party ?? party });
}

/** The charges of a changed stay; null: it cannot be priced so. */
export function changedCharges(
  { content }: Inventory,
  by: AccountName,
  { charges: before }: Reservation,
  { stay, price, code }: { stay: StayName; price: PriceChoice; code: string | null },
): Charges | null {
  const { home, ...words } = stayWords(stay);
  const { party: _, ...dates } = datesOf({ home, ...words });
  if (price === 'keep') return keptCharges(before!, stayOf(dates), todayAtHome(home));
  if (currencyOf(home) !== before!.currency) return null;
  const charges = chargesOf(by, content[home], stay, code);
  return charges && recalculatedCharges(before!, charges, todayAtHome(home));
}

/** What differs, in the order of the specification. */
function differencesOf(before: Reservation, stay: StayName, charges: Charges): string[] {
  const [was, is] = [stayWords(before.stay), stayWords(stay)];
  const { charges: had } = before;
  const payments = ({ dueNow, schedule }: Charges) =>
    JSON.stringify([dueNow, schedule.map(({ amount }) => amount)]);
  // The nights follow the dates.
  const isSamePrice = samePrice(had!, { ...charges, nights: had!.nights });
  const differs = {
    dates: was.from !== is.from || was.nights !== is.nights,
    party: was.party !== is.party,
    price: !isSamePrice || payments(had!) !== payments(charges),
    listing: was.home !== is.home,
  };
  return Object.keys(differs).filter((part) => differs[part as keyof typeof differs]);
}

const takenByOthers = ({ taken }: Inventory, by: AccountName, name: BookingName): Taken[] =>
  taken.filter((one) => one.by !== `${by} ${name}`);

/** The operator's homes as if a booking had no nights. */
export const withoutStay = (
  inventory: Inventory,
  by: AccountName,
  name: BookingName,
): Inventory => ({ ...inventory, taken: takenByOthers(inventory, by, name) });

/** Changes a stay of the operator's homes. Returns its event; null: its nights are taken, or nothing would change. */
export function changeStay(
  inventory: Inventory,
  by: AccountName,
  account: Account,
  name: BookingName,
  { stay, charges }: { stay: StayName; charges: Charges },
): string | null {
  const reservation = bookingOf(account, name)!.reservation!;
  const differences = differencesOf(reservation, stay, charges);
  const words = stayWords(stay);
  const others = withoutStay(inventory, by, name);
  if (differences.length === 0 || !isFree(others, words)) return null;
  inventory.taken = others.taken;
  take(inventory, { ...words, by: `${by} ${name}` });
  serveOutside(inventory);
  reservation.stay = stay;
  reservation.charges = charges;
  // A changed party does not change the accepted terms.
  if (differences.some((part) => part !== 'party')) {
    reservation.refund = refundNow(inventory.content[words.home], stay, charges);
  }
  return `reservation.changed ${name} confirmed ${differences.join(' ')}`;
}

/** Cancels a stay of the operator's homes. Returns its event. */
export function cancelStay(
  inventory: Inventory,
  by: AccountName,
  account: Account,
  name: BookingName,
): string {
  bookingOf(account, name)!.reservation!.state = 'cancelled';
  inventory.taken = takenByOthers(inventory, by, name);
  serveOutside(inventory);
  return `reservation.cancelled ${name} cancelled`;
}
