/** Parses the values of flags. */
import { readFileSync } from 'node:fs';
import { eventTypes as eventKinds, type EventType } from '../contract/events.ts';
import { limits, tiers, type Tier } from '../contract/limits.ts';
import { auditActions, type AuditAction } from '../contract/operator/audit-actions.ts';
import { operatorLimits } from '../contract/operator/limits.ts';
import { type OperatorScope, operatorScopes } from '../contract/operator/roles.ts';
import { capabilities, type Capability } from '../contract/scopes.ts';
import { patterns } from '../contract/patterns.ts';
import type { EpochMs } from '../contract/time.ts';
import { isReference } from '../bookings/index.ts';
import { canonicalNetwork } from '../platform/allowed-networks.ts';
import { isUuid } from '../platform/uuid.ts';
import { isKeptDate } from '../pricing/index.ts';
import type { FlagKind, Parsed } from './command.ts';

const problem = (text: string): { problem: string } => ({ problem: text });

const isOneOf = <T extends string>(values: readonly T[], text: string): text is T =>
  (values as readonly string[]).includes(text);

const repeated = (texts: readonly string[]): string | undefined =>
  texts.find((text, index) => texts.indexOf(text) !== index);

/** A text that is taken as it is, if it has the right form. */
const taken = (
  placeholder: string,
  isRight: (text: string) => boolean,
  wrong: string,
): FlagKind<string> => ({
  placeholder,
  parse: (text) => (isRight(text) ? { value: text } : problem(wrong)),
});

const id = (wrong: string): FlagKind<string> => ({
  placeholder: 'ID',
  parse: (text) => (isUuid(text.toLowerCase()) ? { value: text.toLowerCase() } : problem(wrong)),
});

const idShownBy = (listing: string): FlagKind<string> =>
  id(`must be a UUID, as \`${listing}\` shows it.`);

/** An ID that no list of the command line shows. */
export const uuid = id('must be a UUID.');

/** The ID of a webhook endpoint. */
export const endpointId = idShownBy('webhook endpoint list');

/** The ID of a block. */
export const blockId = idShownBy('block list');

/** The ID of a channel calendar. */
export const calendarId = idShownBy('channel-calendar list');

/** The ID of a note. */
export const noteId = idShownBy('reservation show');

/** The ID of a token. */
export const tokenId = idShownBy('staff token list');

/** The ID of a delivery. */
export const deliveryId = idShownBy('webhook delivery list');

/** The ID of a key. If the key itself is given, the problem says so without repeating it. */
export const keyId: FlagKind<string> = {
  placeholder: 'KEYID',
  parse: (text) => {
    if (text.startsWith('lk_')) {
      return problem('takes the ID of a key, as `key list` shows it, not the key itself.');
    }
    return text === '' ? problem('is empty.') : { value: text };
  },
};

const control = /\p{Cc}/u;

/** An action of the audit trail. */
export const auditAction: FlagKind<AuditAction> = {
  placeholder: 'ACTION',
  parse: (text) =>
    isOneOf(auditActions, text)
      ? { value: text }
      : problem(`does not know "${text}": the actions are ${auditActions.join(', ')}.`),
};

/** A line of text. */
export const line = (placeholder: string, longest: number): FlagKind<string> => ({
  placeholder,
  parse: (text) => {
    const trimmed = text.trim();
    if (trimmed === '') return problem('is empty.');
    if ([...trimmed].length > longest) return problem(`must have at most ${longest} characters.`);
    if (control.test(trimmed)) return problem('must be one line without control characters.');
    return { value: trimmed };
  },
});

/** A line of text that may be empty. */
export const lineOrEmpty = (placeholder: string, longest: number): FlagKind<string> => ({
  placeholder,
  parse: (text) => (text.trim() === '' ? { value: '' } : line(placeholder, longest).parse(text)),
});

/** Text of several lines. */
export const lines = (placeholder: string, longest: number): FlagKind<string> => ({
  placeholder,
  parse: (text) => {
    const trimmed = text.trim();
    if (trimmed === '') return problem('is empty.');
    if ([...trimmed].length > longest) return problem(`must have at most ${longest} characters.`);
    const isPlain = new RegExp(patterns.lines.pattern).test(trimmed);
    return isPlain ? { value: trimmed } : problem('must have no control characters.');
  },
});

/** One of some words. */
export const oneOf = <T extends string>(values: readonly T[]): FlagKind<T> => ({
  placeholder: values.join('|'),
  parse: (text) =>
    isOneOf(values, text) ? { value: text } : problem(`must be ${values.join(' or ')}.`),
});

/** Some of some words, comma-separated, each once. The value is in the usual order. */
export const someOf = <T extends string>(values: readonly T[], what = 'values'): FlagKind<T[]> => ({
  placeholder: 'VALUE,VALUE',
  parse: (text) => {
    const named = text.split(',');
    const unknown = named.find((one) => !isOneOf(values, one));
    if (unknown !== undefined) {
      return problem(`does not know "${unknown}": the ${what} are ${values.join(', ')}.`);
    }
    const twice = repeated(named);
    if (twice !== undefined) return problem(`names ${twice} twice.`);
    return { value: values.filter((one) => named.includes(one)) };
  },
});

/** Capabilities, comma-separated. The value is in the usual order. */
export const grants: FlagKind<Capability[]> = {
  ...someOf(capabilities, 'grants'),
  placeholder: 'GRANT,GRANT',
};

/** Scopes of the operator's API, comma-separated. The value is in the usual order. */
export const scopes: FlagKind<OperatorScope[]> = {
  ...someOf(operatorScopes, 'scopes'),
  placeholder: 'SCOPE,SCOPE',
};

function quota(text: string): Parsed<[Tier, number]> {
  const [tier = '', figure, ...rest] = text.split('=');
  if (!isOneOf(tiers, tier)) {
    return problem(`does not know "${tier}": the tiers are ${tiers.join(', ')}.`);
  }
  const perMinute = /^\d{1,10}$/.test(figure ?? '') && rest.length === 0 ? Number(figure) : 0;
  const { max } = operatorLimits.quota;
  if (perMinute < 1 || perMinute > max) {
    return problem(`needs calls per minute for ${tier}, an integer from 1 to ${max}.`);
  }
  return { value: [tier, perMinute] };
}

/** Calls per minute by tier: `read=360,search=36`. */
export const quotas: FlagKind<Partial<Record<Tier, number>>> = {
  placeholder: 'TIER=N,TIER=N',
  parse: (text) => {
    const read = text.split(',').map(quota);
    const wrong = read.find((one) => 'problem' in one);
    if (wrong) return wrong;
    const pairs = read.flatMap((one) => ('value' in one ? [one.value] : []));
    const twice = repeated(pairs.map(([tier]) => tier));
    if (twice !== undefined) return problem(`names ${twice} twice.`);
    return { value: Object.fromEntries(pairs) };
  },
};

/** An absolute HTTP or HTTPS URL. The rules of endpoint URLs are checked later. */
export const url = taken(
  'URL',
  (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
  'must be a URL that begins with https:// or http://.',
);

/** The URL of a calendar, also as calendar programs write it. */
export const calendarUrl = taken(
  'URL',
  (text) => /^(?:https?|webcals?):$/.test(URL.parse(text)?.protocol ?? ''),
  'must be a URL that begins with https://, webcal:// or http://.',
);

const knownTypes = Object.keys(eventKinds) as EventType[];

/** Networks, comma-separated. */
export const networks: FlagKind<string[]> = {
  placeholder: 'CIDR,CIDR',
  parse: (text) => {
    const named = text.split(',');
    const wrong = named.find((one) => canonicalNetwork(one) === null);
    if (wrong === undefined) return { value: named };
    return problem(`takes networks, as 203.0.113.0/24 or 2001:db8::/32, not "${wrong}".`);
  },
};

/** Types of events, comma-separated. */
export const eventTypes: FlagKind<EventType[]> = {
  ...someOf(knownTypes, 'types'),
  placeholder: 'TYPE,TYPE',
};

const integer = (
  placeholder: string,
  { min, max }: { min: number; max: number },
): FlagKind<number> => ({
  placeholder,
  parse: (text) => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : -1;
    if (value >= min && value <= max) return { value };
    return problem(`must be an integer from ${min} to ${max}.`);
  },
});

/** A whole number. */
export const wholeNumber = (bounds: { min: number; max: number }): FlagKind<number> =>
  integer('N', bounds);

/** A whole amount of money in minor units. */
export const amountWithin = (bounds: { min: number; max: number }): FlagKind<number> =>
  integer('AMOUNT', bounds);

/** Whole numbers, comma-separated. */
export const integers = (bounds: { min: number; max: number }): FlagKind<number[]> => ({
  placeholder: 'N,N',
  parse: (text) => {
    const read = text.split(',').map((one) => wholeNumber(bounds).parse(one));
    if (read.some((one) => 'problem' in one)) {
      return problem(`must be integers from ${bounds.min} to ${bounds.max}, separated by commas.`);
    }
    return { value: read.flatMap((one) => ('value' in one ? [one.value] : [])) };
  },
});

/** A number with at most two decimals. */
export const decimal = ({ min, max }: { min: number; max: number }): FlagKind<number> => ({
  placeholder: 'N',
  parse: (text) => {
    const value = /^[+-]?\d{1,9}(\.\d{1,2})?$/.test(text) ? Number(text) || 0 : Number.NaN;
    if (value >= min && value <= max) return { value };
    return problem(`must be a number from ${min} to ${max} with at most two decimals.`);
  },
});

/** A value, or `none`. */
export const orNone = <T>(kind: FlagKind<T>): FlagKind<T | null> => ({
  placeholder: `${kind.placeholder}|none`,
  parse: (text) => {
    if (text === 'none') return { value: null };
    const read = kind.parse(text);
    return 'value' in read ? read : problem(read.problem.replace(/\.$/, ', or none.'));
  },
});

/** A channel adjustment in percent: `8`, `-12.5`. */
export const adjustPercent: FlagKind<number> = {
  ...decimal(operatorLimits.adjustPercent),
  placeholder: 'PERCENT',
};

/** A commission in percent; null: none. */
export const commissionPercent: FlagKind<number | null> = orNone({
  ...decimal(operatorLimits.commissionPercent),
  placeholder: 'PERCENT',
});

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };

const durationSeconds = (text: string): number => {
  const [, count = '', unit = ''] = /^(\d{1,9})([mhd])$/.exec(text) ?? [];
  return Number(count) * (unitSeconds[unit] ?? 0);
};

const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** An instant, or a duration before now. */
export const since: FlagKind<(now: EpochMs) => EpochMs> = {
  placeholder: 'WHEN',
  parse: (text) => {
    const ago = durationSeconds(text) * 1_000;
    if (ago > 0) return { value: (now) => now - ago };
    const at = instantForm.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(at)) return { value: () => at };
    return problem('must be an instant such as 2027-08-14T12:00:00Z, or 30m, 12h or 7d ago.');
  },
};

/** An instant, or a duration before now, as an instant of the contract. */
export const instantOrAgo: FlagKind<string> = {
  placeholder: since.placeholder,
  parse: (text) => {
    const read = since.parse(text);
    return 'value' in read ? { value: new Date(read.value(Date.now())).toISOString() } : read;
  },
};

/** A lifetime such as `30m`, `12h` or `90d`, in days. */
export const lifetimeInDays = (longestDays: number): FlagKind<number> => ({
  placeholder: 'DURATION',
  parse: (text) => {
    const days = durationSeconds(text) / 86_400;
    if (days > 0 && days <= longestDays) return { value: days };
    return problem(`must be a duration such as 30m, 12h or 90d, of at most ${longestDays}d.`);
  },
});

/** The email address of a member of staff. */
export const staffEmail = taken(
  'EMAIL',
  (text) => /^[\x21-\x7e]+@[\x21-\x7e]+$/.test(text) && text.length <= limits.emailLength,
  'must be an email address.',
);

/** The email address of a guest. */
export const email: FlagKind<string> = line('EMAIL', limits.emailLength);

/** The ID of a picture of a home. */
export const pictureId = taken(
  'ID',
  (text) => /^[0-9a-f]{32}$/.test(text),
  'must be 32 digits and letters from a to f, as `picture list` shows it.',
);

/** A flag without a value. */
export const withoutValue: FlagKind<boolean> = { placeholder: '', parse: () => ({ value: true }) };

/** A calendar date. */
export const date = taken(
  'DATE',
  isKeptDate,
  'must be a date that exists, such as 2027-08-14, in the years 1900 to 8999.',
);

/** A calendar month. */
export const month = taken(
  'MONTH',
  (text) => new RegExp(patterns.month.pattern).test(text),
  `${patterns.month.message}.`,
);

/** `yes` or `no`. */
export const yesOrNo: FlagKind<boolean> = {
  placeholder: 'yes|no',
  parse: (text) =>
    text === 'yes' || text === 'no' ? { value: text === 'yes' } : problem('must be yes or no.'),
};

/** The slug of a catalog. */
export const slug = taken(
  'SLUG',
  (text) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && text.length <= limits.nameLength,
  'must be a slug: small letters, digits and single hyphens.',
);

/** The reference of a reservation. Our own references are in capital letters. */
export const reference: FlagKind<string> = {
  placeholder: 'REFERENCE',
  parse: (text) => {
    const own = text.trim().toUpperCase();
    if (isReference(own)) return { value: own };
    return line('REFERENCE', limits.opaqueLength).parse(text);
  },
};

/** A listing, by slug or ID. */
export const listing: FlagKind<string> = line('SLUG|ID', limits.nameLength);

/** The lines of a file of erasures. */
export const erasures: FlagKind<string[]> = {
  placeholder: 'FILE',
  parse(file) {
    try {
      const text = readFileSync(file, 'utf8');
      return { value: text.split('\n').filter((one) => one.trim() !== '') };
    } catch (error) {
      return problem(`cannot be read: ${(error as Error).message}.`);
    }
  },
};

/** The ID of a checkout or reservation request. */
export const checkoutId = idShownBy('checkout list');

/** A balance in minor units, 0 included. */
const balance: FlagKind<number> = integer('AMOUNT', {
  min: 0,
  max: Number.MAX_SAFE_INTEGER,
});

/** The refund of a cancellation; an amount is in minor units. */
export const refund: FlagKind<'policy' | 'none' | number> = {
  placeholder: 'policy|none|AMOUNT',
  parse: (text) => {
    if (text === 'policy' || text === 'none') return { value: text };
    const amount = balance.parse(text);
    return 'value' in amount
      ? amount
      : problem('must be policy, none, or an amount in minor units, such as 12500.');
  },
};
