/** Entries of the audit trail in words. */
import { moneyText } from '../../base/words/money.ts';
import { memberWords, productWord } from '../../base/words/product-words.ts';
import { stayText } from './days.ts';
import { roleName } from './roles.ts';

const names: Readonly<Record<string, string>> = {
  'application.create': 'Partner registered',
  'application.resume': 'Partner resumed',
  'application.set': 'What a partner may sell changed',
  'application.set-quota': 'Quotas changed',
  'application.suspend': 'Partner suspended',
  'block.add': 'Nights blocked',
  'block.import': 'Blocks imported',
  'block.remove': 'Block removed',
  'catalog.import': 'Catalog imported',
  'catalog.read-differently': 'Catalog read differently',
  'change-request.decline': 'Request declined',
  'channel-calendar.accept': 'Shrunk calendar accepted',
  'channel-calendar.add': 'Calendar added',
  'channel-calendar.address': 'Address of our calendar made',
  'channel-calendar.import': 'Calendar file imported',
  'channel-calendar.keep': 'Nights of a calendar kept',
  'channel-calendar.refresh': 'Calendar read',
  'channel-calendar.remove': 'Calendar removed',
  'channel-calendar.rotate': 'Address of our calendar changed',
  'channel-calendar.set': 'Calendar changed',
  'checkout.resolve': 'Outcome decided',
  'clock.confirm': 'Clock confirmed',
  'conformance.verify': 'Conformance report verified',
  'guest.erase': 'Guest erased',
  'guest.export': 'Data of a guest exported',
  'key.issue': 'Key issued',
  'key.revoke': 'Key revoked',
  'listing.add': 'Home added',
  'listing.change': 'Home changed',
  'listing.offer': 'Home offered',
  'listing.withdraw': 'Home withdrawn',
  'master-key.retire': 'Old master key retired',
  'master-key.rotate': 'Master key replaced',
  'outside-stay.put': 'Stay sold elsewhere',
  'outside-stay.remove': 'Stay sold elsewhere removed',
  'payment.link': 'Payment link made',
  'payment.record': 'Money recorded',
  'payment.record-return': 'Returned money recorded',
  'payment.reduce': 'Less is collected',
  'payment.refund': 'Refund',
  'payment.retry': 'Card tried again',
  'payment.start': 'Collecting started again',
  'payment.stop': 'Collecting stopped',
  'picture.upload': 'Picture uploaded',
  'portal.link': 'Portal link issued',
  'portal.session.begin': 'Portal opened',
  'portal.session.end': 'Portal left',
  'promotion.add': 'Promotion added',
  'promotion.change': 'Promotion changed',
  'promotion.end': 'Promotion ended',
  'promotion.pause': 'Promotion paused',
  'promotion.resume': 'Promotion resumed',
  'rate.confirm-unusual': 'Unusual prices confirmed',
  'rate.import': 'Prices imported',
  'rate.set': 'Prices or rules set',
  'rate.set-bulk': 'Prices set by a program',
  'listing.undo': 'Replaced text put back',
  'rate.undo': 'Prices put back',
  'reservation.cancel': 'Reservation cancelled',
  'reservation.change': 'Reservation changed',
  'reservation.create': 'Reservation made',
  'reservation.note.add': 'Note added',
  'reservation.note.remove': 'Note removed',
  'reservation.simulate': 'Act of the simulation',
  'restore.close': 'Found money closed',
  'restore.declare': 'Restore declared',
  'signing-key.rotate': 'Signing key replaced',
  'staff.disable': 'Account disabled',
  'staff.enable': 'Account enabled',
  'staff.end-sessions': 'Sessions ended',
  'staff.invitation.accept': 'Invitation accepted',
  'staff.invite': 'Invited',
  'staff.passkey.add': 'Passkey added',
  'staff.passkey.remove': 'Passkey removed',
  'staff.password.change': 'Password changed',
  'staff.require-second-factor': 'Second factor required',
  'staff.second-factor.add': 'Second factor added',
  'staff.second-factor.begin': 'Second factor begun',
  'staff.second-factor.remove': 'Second factor removed',
  'staff.session.begin': 'Signed in',
  'staff.session.end': 'Signed out',
  'staff.session.step-up': 'Confirmed that it is them',
  'staff.session.step-up.fail': 'Confirmation failed',
  'staff.set-role': 'Role changed',
  'staff.sign-in.fail': 'Sign-in failed',
  'staff.token.issue': 'Token issued',
  'staff.token.revoke': 'Token revoked',
  'webhook.delivery.replay': 'Webhook sent again',
  'webhook.endpoint.add': 'Webhook endpoint added',
  'webhook.endpoint.change': 'Webhook endpoint changed',
  'webhook.endpoint.delete': 'Webhook endpoint deleted',
  'webhook.endpoint.pause': 'Webhook endpoint paused',
  'webhook.endpoint.replay': 'Failed webhooks sent again',
  'webhook.endpoint.resume': 'Webhook endpoint resumed',
  'webhook.endpoint.rotate-secret': 'Webhook secret replaced',
  'webhook.endpoint.test': 'Webhook tested',
};

/** What was done, in words. */
export const actionName = (action: string): string => names[action] ?? productWord(action);

type Details = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const listOf = (value: unknown): Details[] =>
  Array.isArray(value) ? value.filter((one): one is Details => typeof one === 'object') : [];

const signed = (number: number, text: string): string => (number < 0 ? text : `+${text}`);

const moneyIn = (minor: unknown, currency: unknown): string => {
  const amount = numberOf(minor);
  if (amount === null) return '';
  return textOf(currency) === '' ? `${amount} in minor units` : moneyText(amount, textOf(currency));
};

const nights = ({ from, to }: Details): string =>
  textOf(from) === '' || textOf(to) === '' ? '' : stayText(textOf(from), textOf(to));

function priceChange({ nightly, changePercent, changeAmount, currency }: Details): string {
  const percent = numberOf(changePercent);
  const amount = numberOf(changeAmount);
  if (percent !== null) return `price ${signed(percent, `${percent} %`)}`;
  if (amount !== null) return `price ${signed(amount, moneyIn(amount, currency))}`;
  if (nightly === null) return 'price of the seasons';
  return nightly === undefined ? '' : `price ${moneyIn(nightly, currency)}`;
}

const counted = (count: unknown, one: string, many: string): string =>
  numberOf(count) === null ? '' : `${count} ${count === 1 ? one : many}`;

function setRates(details: Details): string[] {
  const least = numberOf(details['minNights']);
  const homes = listOf(details['homes']);
  return [
    homes.length === 1
      ? textOf(homes[0]!['listing'])
      : counted(details['homesInAll'], 'home', 'homes'),
    nights(details),
    priceChange(details),
    least === null ? '' : `at least ${counted(least, 'night', 'nights')}`,
  ];
}

/** One line of an import of rates: a home with its nights before and after. */
function ratedLine({ listing, currency, before, after }: Details): string {
  const [old, now] = [before ?? {}, after ?? {}] as [Details, Details];
  const from = moneyIn(old['nightly'], currency);
  const to = moneyIn(now['nightly'], currency);
  return `${textOf(listing)} ${nights(now)}: ${from === '' ? '' : `${from} → `}${to}`;
}

const importedRates = ({ first, listings, entries }: Details): string[] => {
  const lines = listOf(first);
  if (lines.length > 0 && lines.length <= 3) return lines.map(ratedLine);
  return [counted(listings, 'home', 'homes'), counted(entries, 'line', 'lines')];
};

const changedHome = ({ listing, members }: Details): string[] => {
  const changed = listOf(members).map(({ path }) => memberWords(textOf(path)));
  const shown = changed.slice(0, 3).join('; ');
  return [textOf(listing), changed.length > 3 ? `${shown} and ${changed.length - 3} more` : shown];
};

const soldElsewhere = (details: Details): string[] => [
  textOf(details['listing']),
  nights(details),
  textOf(details['source']),
];

const special: Readonly<Record<string, (details: Details) => string[]>> = {
  'rate.set': setRates,
  'listing.undo': (details) => [counted(details['homesInAll'], 'home', 'homes')],
  'rate.undo': (details) => [counted(details['homesInAll'], 'home', 'homes')],
  'rate.set-bulk': ({ listings, dates }) => [
    counted(listings, 'home', 'homes'),
    counted(dates, 'night', 'nights'),
  ],
  'rate.import': importedRates,
  'listing.change': changedHome,
  'block.add': (details) => [
    textOf(details['listing']),
    nights(details),
    textOf(details['reason']),
  ],
  'block.remove': (details) => [nights(details), textOf(details['reason'])],
  'outside-stay.put': soldElsewhere,
  'outside-stay.remove': soldElsewhere,
  'staff.set-role': ({ email, before, after }) => [
    textOf(email),
    `${roleName(textOf(before))} → ${roleName(textOf(after))}`,
  ],
};

/** What names the thing that was changed, in the details of the other actions. */
const subjects = [
  'listing',
  'email',
  'name',
  'code',
  'catalog',
  'url',
  'keyId',
  'bookingId',
  'reason',
];

const isFailure = (action: string): boolean => action.endsWith('.fail');

/** What an entry is about, in a few words. */
export function aboutEntry(action: string, details: Details): string[] {
  const described = special[action]?.(details).filter((text) => text !== '') ?? [];
  if (described.length > 0) return described;
  const members = isFailure(action) ? ['reason'] : subjects;
  const named = members.map((member) => textOf(details[member])).find((text) => text !== '');
  if (named === undefined) return [];
  return [isFailure(action) ? productWord(named) : named];
}
