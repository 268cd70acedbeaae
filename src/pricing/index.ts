export {
  dateText,
  dayNumber,
  epochMsAt,
  isKeptDate,
  parseDate,
  todayAt,
} from './rules/calendar-date.ts';
export { allowedParty, allowedStay } from './rules/allowed.ts';
export { cancellationInstants, depositOf, isShortForm, termsSource } from './rules/cancellation.ts';
export { acceptedPolicies, CANCELLATION_LABEL } from './rules/cancellation-text.ts';
export { cardCharges } from './rules/card-charges.ts';
export { chargesOfTotal } from './rules/charges-of-total.ts';
export { isCollected } from './rules/payment-schedule.ts';
export { collectedBy, keptCharges, recalculatedCharges } from './rules/changed-charges.ts';
export type {
  DayNumber,
  Fee,
  Image,
  Listing,
  Party,
  Policy,
  Season,
  Stay,
  Tax,
  WeekdayName,
} from './rules/listing.ts';
export { changedOrNull, inSteps, millionths, percentOf, stepOf } from './rules/money.ts';
export { arrivalWindow, nearestStays } from './rules/nearest-stays.ts';
export { type RatesOfDate, setOnDates } from './rules/set-on-dates.ts';
export {
  brokenPartyRules,
  comparableParty,
  normaliseParty,
  partyProblems,
  partyRefusal,
} from './rules/party.ts';
export {
  extrasFloor,
  type ExtrasFloor,
  staysLike,
  type StaysLike,
  totalFloor,
} from './rules/price-floor.ts';
export { explainStay, priceStay, samePrice, stayTotal } from './rules/price-stay.ts';
export { canonicalCode, type Promotion, promotionRefusal } from './rules/promotion.ts';
export {
  type DatedDay,
  datedDay,
  dayRules,
  lowestPriceIn,
  type Month,
  nightPrices,
  insideOf,
  weekdayName,
} from './rules/rates.ts';
export {
  arrivalRules,
  brokenStayRules,
  departureAllowed,
  earliestCheckIn,
  fillsGapExactly,
  hourDecides,
  latestCheckIn,
  nightsOf,
  stayInputRefusal,
  type StayRefusal,
  stayRefusals,
  stayRuleRefusal,
} from './rules/stay.ts';
export { unusualNights, type UnusualNights } from './rules/unusual-prices.ts';
export { stayOf } from './stay-input.ts';
