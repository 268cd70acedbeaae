/** IDs and versions from earlier responses, so that fuzzed requests get further than a 404. */
import type { Chance } from './chance.ts';

type Json = Record<string, unknown>;

/** The parameters of a checkout's calls. */
interface OpenCheckout {
  checkoutId: string;
  session: string;
  version: number;
}

const kept = [
  'listingId',
  'quoteId',
  'reservationRequestId',
  'collectionId',
  'searchObservationId',
  'reference',
  'partnerReference',
  'nextCursor',
  'setupReference',
] as const;

// Only the latest, because older ones have expired or are final.
const keptAtMost = 8;

/** The IDs that a partner has received. */
export class Known {
  readonly #values = new Map<string, string[]>();
  readonly #checkouts: OpenCheckout[] = [];
  termsVersion = 'unknown';
  stay: { listingId: string; checkIn: string; checkOut: string };

  constructor(stay: Known['stay']) {
    this.stay = stay;
    this.#learn('listingId', stay.listingId);
  }

  #learn(name: string, value: unknown): void {
    if (typeof value !== 'string') return;
    const values = this.#values.get(name) ?? [];
    if (values.includes(value)) return;
    this.#values.set(name, [...values, value].slice(-keptAtMost));
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
    for (const name of kept) this.#learn(name, response[name]);
    this.#learnCheckout(response);
    const { terms, paymentSetup, items } = response as { [name: string]: Json };
    if (typeof terms?.['version'] === 'string') this.termsVersion = terms['version'];
    this.#learn('setupReference', paymentSetup?.['setupReference']);
    if (Array.isArray(items)) for (const item of items.slice(0, 3)) this.learn(item);
  }

  /** A known value for a name of the contract; undefined: none. */
  value(name: string, chance: Chance): string | undefined {
    const values = this.#values.get(name === 'cursor' ? 'nextCursor' : name);
    return values && chance.pick(values);
  }

  /** A checkout whose capability is known. */
  checkout(chance: Chance): OpenCheckout | undefined {
    return this.#checkouts.length > 0 ? chance.pick(this.#checkouts) : undefined;
  }
}
