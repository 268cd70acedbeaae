/** The flags of a row: one for each member of its input. */
import type { TObject, TSchema } from 'typebox';
import { capabilities } from '../contract/scopes.ts';
import { operatorScopes } from '../contract/operator/roles.ts';
import type { OperatorRow } from '../contract/operator/row.ts';
import { staffIdOf } from '../sign-in/index.ts';
import { tiers } from '../contract/limits.ts';
import { patterns } from '../contract/patterns.ts';
import { applicationKind } from './application-flag.ts';
import type { Flag, FlagKind } from './command.ts';
import * as kinds from './flag-kinds.ts';

/** A flag, and where its value belongs in the input: `['body', 'party', 'adults']`. */
export interface RowFlag extends Flag {
  place: readonly string[];
}

/** What the flags need to know of a schema. */
interface MemberSchema {
  $id?: string;
  type?: string;
  format?: string;
  pattern?: string;
  enum?: readonly string[];
  const?: unknown;
  anyOf?: readonly MemberSchema[];
  items?: MemberSchema;
  properties?: Readonly<Record<string, MemberSchema>>;
  required?: readonly string[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  multipleOf?: number;
  maxLength?: number;
  description?: string;
  /** The description for this place. */
  here?: string;
}

interface Member {
  name: string;
  place: readonly string[];
  schema: MemberSchema;
  required: boolean;
  /** Absent members stay as they are, so `false` says something. */
  isChange: boolean;
}

/** How a member is given that its schema alone does not say. */
interface Special {
  flag?: string;
  kind: (schema: MemberSchema) => FlagKind<unknown>;
  /** Completes the description of its schema. */
  note?: string;
  /** Replaces it, because the value has another form; a sentence about the default stays. */
  description?: string;
  /** The members that it gives, where it is a whole part of the input: the others have flags of their own. */
  gives?: readonly string[];
}

const staffByEmail: FlagKind<string> = { ...kinds.staffEmail, resolve: staffIdOf };

const quotas: Special = {
  flag: 'quota',
  kind: () => kinds.quotas,
  gives: tiers,
  description:
    'Calls per minute by tier, such as `read=360,search=36`; tiers that are not named keep theirs, or get the default.',
};

/** Members with a parsing of their own, by the `$id` of their schema. */
const byId: Readonly<Record<string, Special>> = {
  CalendarUrl: { kind: () => kinds.calendarUrl },
  Erasures: { kind: () => kinds.erasures },
  NewQuotas: quotas,
  QuotaChange: quotas,
};

/** Members with a parsing of their own, by their name. */
const byName: Readonly<Record<string, Special>> = {
  applicationId: {
    kind: () => applicationKind,
    note: 'by its ID or, if no other has it, its name',
  },
  staffId: { flag: 'email', kind: () => staffByEmail, note: 'by the email address' },
  listing: { kind: () => kinds.listing },
  reference: { kind: () => kinds.reference },
  keyId: { kind: () => kinds.keyId },
  blockId: { kind: () => kinds.blockId },
  calendarId: { kind: () => kinds.calendarId },
  pictureId: { kind: () => kinds.pictureId },
  noteId: { kind: () => kinds.noteId },
  tokenId: { kind: () => kinds.tokenId },
  deliveryId: { kind: () => kinds.deliveryId },
  endpointId: { kind: () => kinds.endpointId },
  checkoutId: { kind: () => kinds.checkoutId },
  expiresInDays: {
    flag: 'expires-in',
    kind: ({ maximum = 0 }) => kinds.lifetimeInDays(maximum),
    description: 'The lifetime, such as `30m`, `12h` or `90d`.',
  },
  grants: { kind: () => kinds.grants, note: `any of ${capabilities.join(', ')}` },
  eventTypes: {
    flag: 'events',
    kind: () => kinds.eventTypes,
    description: 'The event types that are sent; without it all, also future ones.',
  },
  adjustPercent: { kind: () => kinds.adjustPercent },
  networks: {
    kind: () => kinds.networks,
    description:
      'The networks from which it may be used, such as `203.0.113.0/24,2001:db8::/32`; without it, from everywhere.',
  },
  scopes: { kind: () => kinds.scopes, note: `any of ${operatorScopes.join(', ')}` },
  portalKeys: { kind: () => kinds.yesOrNo },
  requireReport: { kind: () => kinds.yesOrNo },
  required: { kind: () => kinds.yesOrNo },
  commissionPercent: { kind: () => kinds.commissionPercent },
  refund: { kind: () => kinds.refund },
  action: { kind: () => kinds.auditAction },
};

const amounts: ReadonlySet<string> = new Set([
  'amount',
  'expectedDue',
  'expectedBalance',
  'expectedTotal',
]);

/** The placeholder of a text, by the last word of the flag. */
const placeholders: Readonly<Record<string, string>> = {
  actor: 'ACTOR',
  code: 'CODE',
  cursor: 'CURSOR',
  email: 'EMAIL',
  file: 'FILE',
  month: 'MONTH',
  name: 'NAME',
  phone: 'PHONE',
  catalog: 'SLUG',
  url: 'URL',
};

const kebabCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

const usualFlag = (name: string): string => kebabCase(name.replace(/(?<=.)Id$/, ''));

const placeholderOf = (name: string): string =>
  placeholders[kebabCase(name).split('-').at(-1) ?? ''] ?? 'TEXT';

const longestText = 1_000;

function textKind({ name, schema }: Member): FlagKind<string> {
  const { format, pattern, maxLength = longestText } = schema;
  if (format === 'uuid') return kinds.uuid;
  if (format === 'date') return kinds.date;
  if (format === 'date-time') return kinds.instantOrAgo;
  if (format === 'email') return kinds.email;
  if (pattern === patterns.slug.pattern) return kinds.slug;
  if (pattern === patterns.month.pattern) return kinds.month;
  if (pattern === patterns.plainEmail.pattern) return kinds.staffEmail;
  if (pattern === patterns.lines.pattern) return kinds.lines(placeholderOf(name), maxLength);
  if (pattern === patterns.lineOrEmpty.pattern) {
    return kinds.lineOrEmpty(placeholderOf(name), maxLength);
  }
  if (name === 'url') return kinds.url;
  return kinds.line(placeholderOf(name), maxLength);
}

/** The texts between which a value chooses; null: it is no such choice. */
function choicesOf({ enum: values, anyOf = [] }: MemberSchema): string[] | null {
  if (values) return [...values];
  const ofBranches = anyOf.map(({ enum: some, const: one }) =>
    typeof one === 'string' ? [one] : (some ?? []),
  );
  const isChoice = ofBranches.length > 0 && ofBranches.every((some) => some.length > 0);
  return isChoice ? ofBranches.flat() : null;
}

function listKind(member: Member): FlagKind<unknown> {
  const { items = {} } = member.schema;
  const choices = choicesOf(items);
  if (choices) return kinds.someOf(choices);
  if (items.type === 'integer') return kinds.integers(boundsOf(items));
  return textKind({ ...member, schema: items });
}

const boundsOf = ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: MemberSchema) => ({
  min: minimum,
  max: maximum,
});

const isNull = ({ type }: MemberSchema): boolean => type === 'null';

function usualKind(member: Member): FlagKind<unknown> {
  const { name, schema, isChange } = member;
  const { type, anyOf = [] } = schema;
  const others = anyOf.filter((one) => !isNull(one));
  if (others.length < anyOf.length && others.length === 1) {
    const kind = usualKind({ ...member, schema: others[0]! });
    // "none" may be the text of something new; where an absent member stays as it is, null needs a word.
    return others[0]!.type === 'string' && !isChange ? kind : kinds.orNone(kind);
  }
  const choices = choicesOf(schema);
  if (choices) return kinds.oneOf(choices);
  if (type === 'boolean') {
    return isChange ? kinds.yesOrNo : kinds.withoutValue;
  }
  if (type === 'integer') {
    const kind = amounts.has(name) ? kinds.amountWithin : kinds.wholeNumber;
    return kind(boundsOf(schema));
  }
  if (type === 'number') return kinds.decimal(boundsOf(schema));
  if (type === 'array') return listKind(member);
  return textKind(member);
}

const specialOf = ({ name, schema }: Member): Special | undefined =>
  (schema.$id === undefined ? undefined : byId[schema.$id]) ??
  (Object.hasOwn(byName, name) ? byName[name] : undefined);

/** A list of texts is given by repeating the flag; other lists have commas. */
const repeats = ({ schema: { type, items } }: Member): boolean =>
  type === 'array' && items?.type === 'string' && choicesOf(items) === null;

/** The description of a schema; of one that can also be null, that of the other. */
const ownDescription = ({ here, description, anyOf = [] }: MemberSchema): string =>
  here ?? description ?? anyOf.map(ownDescription).find((text) => text !== '') ?? '';

const defaultSentence = / The default is [^.]*[.]/;

function descriptionOf(schema: MemberSchema, { note, description }: Partial<Special>): string {
  const own = ownDescription(schema);
  if (description !== undefined) return `${description}${defaultSentence.exec(own)?.[0] ?? ''}`;
  return note === undefined ? own : `${own.replace(/[.]$/, '')}, ${note}.`;
}

function flagOf(member: Member, publicNames: Readonly<Record<string, string>>): [string, RowFlag] {
  const { name, place, schema, required } = member;
  const special = specialOf(member);
  const kind = special ? special.kind(schema) : usualKind(member);
  const description = descriptionOf(schema, special ?? {});
  const flag = publicNames[name] ?? special?.flag ?? usualFlag(name);
  const repeated = !special && repeats(member) ? { repeats: true as const } : {};
  return [flag, { kind, required, description, place, ...repeated }];
}

function membersOf(
  schema: MemberSchema,
  place: readonly string[],
  required: boolean,
  isChange: boolean,
): Member[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const one = {
      name,
      place: [...place, name],
      schema: member,
      required: required && (schema.required ?? []).includes(name),
      isChange,
    };
    const isInner = member.type === 'object' && specialOf(one) === undefined;
    return isInner ? membersOf(member, one.place, one.required, isChange) : [one];
  });
}

/** The members of a part of the input. What a parsing of the part itself gives is one member. */
function membersIn(part: string, schema: TSchema | undefined, isChange: boolean): Member[] {
  if (!schema) return [];
  const whole = {
    name: '',
    place: [part],
    schema: schema as MemberSchema,
    required: true,
    isChange,
  };
  const special = specialOf(whole);
  const members = membersOf(whole.schema, whole.place, true, isChange);
  if (!special) return members;
  return [whole, ...members.filter(({ name }) => !special.gives?.includes(name))];
}

/** The flags of a row, by name. */
export function flagsOf({
  method,
  params,
  query,
  body,
  command,
}: OperatorRow): Record<string, RowFlag> {
  const isChange = method === 'PATCH';
  const parts: Readonly<Record<string, TObject | undefined>> = { params, query, body };
  const members = Object.entries(parts).flatMap(([part, schema]) =>
    membersIn(part, schema, isChange),
  );
  return Object.fromEntries(members.map((member) => flagOf(member, command?.flags ?? {})));
}

/** The input of a call: each value of a flag in its place. */
export function inputOf(
  flags: Readonly<Record<string, RowFlag>>,
  values: Readonly<Record<string, unknown>>,
): Record<'params' | 'query' | 'body', Record<string, unknown>> {
  const input = { params: {}, query: {}, body: {} };
  for (const [name, { place }] of Object.entries(flags)) {
    if (values[name] !== undefined) setIn(input, place, values[name]);
  }
  return input;
}

function setIn(object: Record<string, unknown>, place: readonly string[], value: unknown): void {
  const [name = '', ...rest] = place;
  if (rest.length === 0) {
    object[name] = value;
    return;
  }
  object[name] ??= {};
  setIn(object[name] as Record<string, unknown>, rest, value);
}
