/** IDs and versions from earlier responses, so that fuzzed requests get further than a 404. */
import type { Chance } from '../harness/chance.ts';

type Json = Record<string, unknown>;

/** The parameters of a checkout's calls. */
interface OpenCheckout {
  checkoutId: string;
  session: string;
  version: number;
}

const ofPartners = [
  'listingId',
  'quoteId',
  'reservationRequestId',
  'collectionId',
  'searchObservationId',
  'reference',
  'partnerReference',
  'changeRequestId',
  'promotionCode',
  'nextCursor',
  'setupReference',
] as const;

const ofOperators = [
  'listingId',
  'listing',
  'slug',
  'version',
  'catalog',
  'catalogId',
  'collectionId',
  'promotion',
  'code',
  'reference',
  'partnerReference',
  'checkoutId',
  'applicationId',
  'keyId',
  'endpointId',
  'deliveryId',
  'requestId',
  'changeRequestId',
  'blockId',
  'calendarId',
  'pictureId',
  'staffId',
  'sessionId',
  'tokenId',
  'nextCursor',
] as const;

/** Other names under which a value fits. */
const alsoNamed: Readonly<Record<string, string>> = {
  cursor: 'nextCursor',
  expectedVersion: 'version',
  listing: 'slug',
  listings: 'slug',
  guestOf: 'reference',
};

type Kept = string | number | Json;

const kindOf = (value: unknown): string => (typeof value === 'number' ? 'integer' : typeof value);

// Only the latest, because older ones have expired or are final.
const keptAtMost = 8;

/** What a caller has received. */
export class Known {
  readonly #values = new Map<string, Kept[]>();
  readonly #checkouts: OpenCheckout[] = [];
  readonly #kept: readonly string[];
  readonly #spared: ReadonlySet<unknown>;
  termsVersion = 'unknown';
  stay: { listingId: string; checkIn: string; checkOut: string };

  private constructor(
    stay: Known['stay'],
    kept: readonly string[],
    spared: ReadonlySet<string> = new Set(),
  ) {
    this.stay = stay;
    this.#kept = kept;
    this.#spared = spared;
  }

  /** Of a partner. */
  static ofPartner(stay: Known['stay']): Known {
    const known = new Known(stay, ofPartners);
    known.#learn('listingId', stay.listingId);
    // Of the simulation; elsewhere codes of operators are learned.
    for (const name of ['code', 'promotionCode']) known.#learn(name, 'WELCOME10');
    return known;
  }

  /** Of the operator. `spared`: names of what others need. It is not learned, so nothing is done to it. */
  static ofOperator(stay: Known['stay'], spared: ReadonlySet<string>): Known {
    return new Known(stay, ofOperators, spared);
  }

  #learn(name: string, value: unknown): void {
    if (!['string', 'number', 'object'].includes(typeof value) || value === null) return;
    if (this.#spared.has(value)) return;
    const kept = value as Kept;
    const values = this.#values.get(name) ?? [];
    if (values.includes(kept)) return;
    this.#values.set(name, [...values, kept].slice(-keptAtMost));
  }

  #learnCheckout({ checkoutId, sessionCapability, version }: Json): void {
    if (typeof checkoutId !== 'string') return;
    const known = this.#checkouts.find((open) => open.checkoutId === checkoutId);
    if (known && typeof version === 'number') known.version = version;
    if (known || typeof sessionCapability !== 'string') return;
    this.#checkouts.push({ checkoutId, session: sessionCapability, version: Number(version) });
    if (this.#checkouts.length > keptAtMost) this.#checkouts.shift();
  }

  /** Reads the body of a response. */
  learn(body: unknown): void {
    if (typeof body !== 'object' || body === null) return;
    const response = body as Json;
    for (const name of this.#kept) this.#learn(name, response[name]);
    this.#learnCheckout(response);
    const { terms, paymentSetup, promotion, items, homes } = response as { [name: string]: Json };
    if (typeof terms?.['version'] === 'string') this.termsVersion = terms['version'];
    this.#learn('setupReference', paymentSetup?.['setupReference']);
    this.#learn('code', promotion?.['code']);
    for (const list of [items, homes]) {
      if (Array.isArray(list)) for (const item of list.slice(0, 3)) this.learn(item);
    }
  }

  /** A known value of a type for a name of the contract; undefined: none. Without a type: any. */
  value(name: string, chance: Chance, type?: string): Kept | undefined {
    const names = [name, alsoNamed[name] ?? name];
    const found = names
      .flatMap((one) => this.#values.get(one) ?? [])
      .filter((value) => type === undefined || kindOf(value) === type);
    return found.length > 0 ? chance.pick(found) : undefined;
  }

  /** A checkout whose capability is known. */
  checkout(chance: Chance): OpenCheckout | undefined {
    return this.#checkouts.length > 0 ? chance.pick(this.#checkouts) : undefined;
  }
}
