/** The clients of a session: the IDs that they use and what they have received. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ChangePreview } from '../../src/contract/partner/schemas/change-request.ts';
import type { OperationId } from '../../src/contract/partner/operations.ts';
import { idFromKey } from '../../src/api/identity.ts';
import type { Partner } from '../harness/partner.ts';
import { Difference } from './difference.ts';
import type { Terms } from './kind.ts';
import type { StayBook } from './stays.ts';
import { shownCharges } from './homes.ts';
import type { Operator } from './operator.ts';
import {
  accountNames,
  changeNames,
  checkoutNames,
  quoteNames,
  requestNames,
  signalNames,
  type AccountName,
  type BookingName,
  type ChangeName,
  type CheckoutName,
  type QuoteName,
} from './world.ts';

const lists = {
  'reservation.quote.create': quoteNames,
  'reservation.checkout.create': checkoutNames,
  'reservation.reservationRequest.create': requestNames,
  'cdp.signal.capture': signalNames,
  'reservation.change.request': changeNames,
} as const satisfies Partial<Record<OperationId, readonly string[]>>;

type CreateOperation = keyof typeof lists;

const operationOf = (name: string): CreateOperation =>
  (Object.keys(lists) as CreateOperation[]).find((operation) =>
    (lists[operation] as readonly string[]).includes(name),
  )!;

const isNamedByKey = (name: string): boolean => lists[operationOf(name)].at(-1) === name;

/** The data of the clients at the start of a session. */
export interface InitialKnowledge {
  partners: Record<AccountName, Partner>;
  stays: StayBook;
  /** The codes of the session's promotions, by their names in the model. */
  codes: Readonly<Record<string, string>>;
  pollAfterSeconds: number;
  /** Null: in the simulation. */
  operator: Operator | null;
}

export class SessionClients {
  readonly partners: InitialKnowledge['partners'];
  readonly stays: StayBook;
  readonly pollAfterSeconds: number;
  readonly #codes: InitialKnowledge['codes'];
  readonly #operator: Operator | null;
  /** By `<account> <quote>`. */
  readonly #terms = new Map<string, string>();
  /** By `<account> <checkout>`. */
  readonly #capabilities = new Map<string, string>();
  /** By `<account> <checkout> <attempt>`. */
  readonly #setups = new Map<string, string>();
  /** By `<account> <booking>`. */
  readonly #references = new Map<string, string>();
  /** By `<account> <change>`. */
  readonly #changed = new Map<string, string>();
  readonly #observations = new Map<AccountName, string>();
  /** By `<account> <quote>`: their times were changed. */
  readonly #expired = new Set<string>();
  readonly #shown = new Map<string, unknown>();
  readonly #ids = new Map<string, string>();

  constructor({ partners, stays, codes, pollAfterSeconds, operator }: InitialKnowledge) {
    this.partners = partners;
    this.stays = stays;
    this.pollAfterSeconds = pollAfterSeconds;
    this.#codes = codes;
    this.#operator = operator;
    // The same IDs in every application.
    for (const name of Object.values(lists).flat()) this.#ids.set(name, randomUUID());
  }

  applicationOf(by: AccountName): string {
    return this.partners[by].credentials.applicationId;
  }

  idOf(by: AccountName, name: string): string {
    if (isNamedByKey(name)) return idFromKey(this.applicationOf(by), operationOf(name), name);
    return this.#ids.get(name)!;
  }

  /** The name of an ID, or the ID if it has none. */
  nameOf(by: AccountName, id: string): string {
    const names = Object.values(lists).flat();
    return names.find((name) => this.idOf(by, name) === id) ?? id;
  }

  /** The application and the booking that has nights, as the model names them. */
  takerOf(applicationId: string, bookingId: string): string {
    const by = accountNames.find((name) => this.applicationOf(name) === applicationId);
    return by ? `${by} ${this.nameOf(by, bookingId)}` : bookingId;
  }

  /** The ID or key of a create. */
  naming(
    name: string,
    member: string,
  ): { id: Record<string, string>; headers: Record<string, string> } {
    if (isNamedByKey(name)) return { id: {}, headers: { 'idempotency-key': name } };
    return { id: { [member]: this.#ids.get(name)! }, headers: {} };
  }

  /** The operator, in whose environment the session plays. */
  get operator(): Operator {
    if (!this.#operator) throw new Error('the simulation has no operator');
    return this.#operator;
  }

  /** What the model compares of charges: in the simulation nothing. */
  shownPrice(charges: Parameters<typeof shownCharges>[0]): object | null {
    return this.#operator && shownCharges(charges);
  }

  /** What the model compares of the changes of a stay: it knows no price of the simulation. */
  shownChanges(changes: readonly string[]): string[] {
    return changes.filter((part) => this.#operator !== null || part !== 'price');
  }

  /** What the model compares of a preview. */
  shownPreview({ currency, total, difference, refund }: ChangePreview): ChangePreview | null {
    return this.#operator && { currency, total, difference, refund };
  }

  /** How often a client should poll, where 1 is what the environment says. */
  shownPolls(pollAfterSeconds: number | undefined): number | null {
    return pollAfterSeconds === undefined ? null : pollAfterSeconds / this.pollAfterSeconds;
  }

  /** The code of a promotion by its name in the model. */
  codeOf(name: string): string {
    return this.#codes[name] ?? name;
  }

  /** The name of a code in the model. */
  nameOfCode(code: string | null): string | null {
    return Object.keys(this.#codes).find((name) => this.#codes[name] === code) ?? code;
  }

  termsVersion(by: AccountName, terms: Terms): string {
    return this.#terms.get(`${by} ${terms}`) ?? 'of another quote';
  }

  learnTerms(by: AccountName, quote: QuoteName, version: string): void {
    this.#terms.set(`${by} ${quote}`, version);
    this.mustStay(`the terms of ${by} ${quote}`, version);
  }

  knowsTerms(by: AccountName, quote: QuoteName): boolean {
    return this.#terms.has(`${by} ${quote}`);
  }

  capability(by: AccountName, checkout: CheckoutName): string | undefined {
    return this.#capabilities.get(`${by} ${checkout}`);
  }

  /** The capability of another checkout, if there is one. */
  otherCapability(by: AccountName, checkout: CheckoutName): string {
    const other = [...this.#capabilities].find(([key]) => key !== `${by} ${checkout}`);
    return other?.[1] ?? 'A'.repeat(43);
  }

  learnCapability(by: AccountName, checkout: CheckoutName, capability: string): void {
    this.#capabilities.set(`${by} ${checkout}`, capability);
    this.mustStay(`the capability of ${by} ${checkout}`, capability);
  }

  setupReference(by: AccountName, checkout: CheckoutName, attempt: number): string | undefined {
    return this.#setups.get(`${by} ${checkout} ${attempt}`);
  }

  learnSetup(by: AccountName, checkout: CheckoutName, attempt: number, reference: string): void {
    this.#setups.set(`${by} ${checkout} ${attempt}`, reference);
    this.mustStay(`the attempt of setup ${reference}`, attempt);
  }

  reference(by: AccountName, booking: BookingName): string | undefined {
    return this.#references.get(`${by} ${booking}`);
  }

  /** A known reference never changes, and belongs to one booking. */
  learnReference(by: AccountName, booking: BookingName, reference: string): void {
    this.#references.set(`${by} ${booking}`, reference);
    this.mustStay(`the reference of ${by} ${booking}`, reference);
    this.mustStay(`the booking of ${reference}`, `${by} ${booking}`);
  }

  /** The first search that was observed. */
  observation(by: AccountName): string | undefined {
    return this.#observations.get(by);
  }

  learnObservation(by: AccountName, observationId: string): void {
    if (!this.#observations.has(by)) this.#observations.set(by, observationId);
  }

  /** The reference in whose path a request for a change was made. */
  referenceOfChange(by: AccountName, change: ChangeName): string | undefined {
    return this.#changed.get(`${by} ${change}`);
  }

  learnChange(by: AccountName, change: ChangeName, reference: string): void {
    this.#changed.set(`${by} ${change}`, reference);
  }

  bookingOf(by: AccountName, reference: string): string {
    const found = [...this.#references].find(([, known]) => known === reference)?.[0];
    return found?.startsWith(`${by} `) ? found.slice(by.length + 1) : reference;
  }

  expire(by: AccountName, quote: QuoteName): void {
    this.#expired.add(`${by} ${quote}`);
  }

  /** Compared separately: the test changed the time of an expired quote. */
  quoteTag(by: AccountName, quote: string): string {
    return this.#expired.has(`${by} ${quote}`) ? `${quote}, expired` : quote;
  }

  /** Asserts that a value equals the one that was shown before. */
  mustStay(what: string, value: unknown): void {
    const before = this.#shown.get(what);
    if (before === undefined) this.#shown.set(what, value);
    else if (!isDeepStrictEqual(before, value)) {
      const texts = [before, value].map((one) => JSON.stringify(one));
      throw new Difference(`${what} was shown as\n  ${texts.join('\nand then as\n  ')}`);
    }
  }
}
