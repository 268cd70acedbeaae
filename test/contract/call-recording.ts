/** Recorded calls, with values that are the same at every run: instants, IDs, secrets, durations. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

/** What a call is asked, as the documents show it. */
export interface RecordedRequest {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The calls of an operation: what was asked first, and the first body of each status; null: none. */
export interface RecordedOperation {
  request: RecordedRequest;
  replies: Record<string, unknown>;
}

interface Step {
  /** By the clock of the service, in milliseconds. */
  begun: number;
  shown: number;
}

/** When the first call of the examples is made. */
export const firstCallAt = Date.parse('2027-03-02T15:04:05.120Z');
// The examples are made in a few seconds, and look as if somebody had taken minutes.
const shownBetweenMs = 13_457;
const gridMs = 300_000;
const minuteMs = 60_000;

const instantForm = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const uuidForm = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const eventIdForm = /evt_[0-9a-f]{32}/g;
const referenceForm = /LK-[0-9A-Z]{4}-[0-9A-Z]{4}/g;
const signedForm = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g;
const signature = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl';
const references = ['LK-7Q4M-2XHV', 'LK-0G5R-9KTB'];

/** Members whose texts are random, and what of them stays. */
const random: Readonly<Record<string, RegExp>> = {
  sessionCapability: /^/,
  nextCursor: /^/,
  secret: /^whsec_/,
  link: /^/,
  url: /^.*#link=/,
  keyId: /^/,
  applicationKey: /^lk_[a-z]+_.{12}_/,
  setupReference: /^setup_simulated_/,
  clientSecret: /^.*_secret_/,
};

/** Members that say how long or how much it was at that moment, as the examples show them. */
const measured: Readonly<Record<string, unknown>> = {
  durationMs: 7,
  contractDigest: 'sha256:b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
  'webhook-timestamp': '1804000303',
  'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/148.0',
  asOf: new Date(firstCallAt).toISOString(),
};

const hash = (text: string) => createHash('sha256').update(text);

/** A run lists every scenario: the examples show those that were asked for. */
const isAsked = (item: unknown): boolean =>
  (item as { skippedFor?: string } | null)?.skippedFor !== 'not_asked';

/** What happened in one step of a timeline has no order of its own. */
function ordered(items: unknown[]): unknown[] {
  const isTimeline = items.every((item) => typeof item === 'object' && item && 'what' in item);
  if (!isTimeline) return items;
  const key = (item: unknown) => {
    const { at, what, sequence = 0, ...rest } = item as Record<string, unknown>;
    return `${String(at)} ${String(what)} ${String(sequence)} ${JSON.stringify(rest)}`;
  };
  return items.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

const repeatedLength = 12;

/** Letters and digits that look random, and repeat: the document is sent compressed. */
const lettersFor = (seed: string, length: number): string =>
  hash(seed)
    .digest('base64')
    .replaceAll(/[+/]/g, 'x')
    .slice(0, repeatedLength)
    .repeat(Math.ceil(length / repeatedLength))
    .slice(0, length);

const secretFor = (seed: string): string => hash(seed).digest('base64');

/** Records calls. `now` reads the clock of the service; `fixed` are the UUIDs that stay as they are. */
export class CallRecording {
  readonly #now: () => Promise<number>;
  readonly #known: Map<string, string>;
  readonly #steps: Step[] = [];
  readonly #calls: { id: string; status: number; request: RecordedRequest; body: unknown }[] = [];
  readonly #texts = new Map<string, string>();

  constructor(now: () => Promise<number>, fixed: Iterable<string>) {
    this.#now = now;
    this.#known = new Map([...fixed].map((uuid) => [uuid, uuid]));
  }

  /** A text that is another one at every run, and how the examples show it. */
  replace(text: string, shown: string): void {
    this.#texts.set(text, shown);
  }

  /** Begins a step: what happens until the next has its time. */
  async step(): Promise<void> {
    const shown = firstCallAt + this.#steps.length * shownBetweenMs;
    this.#steps.push({ begun: await this.#now(), shown });
  }

  /** Makes a call that succeeds, as a step of its own, and records it. */
  async call<Reply extends { status: number; body: unknown }>(
    id: string,
    request: RecordedRequest,
    send: () => Promise<Reply>,
  ): Promise<Reply> {
    await this.step();
    const reply = await send();
    assert.ok(reply.status < 300, `${id}: ${reply.status} ${JSON.stringify(reply.body)}`);
    this.add(id, request, reply);
    return reply;
  }

  /** Adds a response. */
  add(id: string, request: RecordedRequest, reply: { status: number; body: unknown }): void {
    this.#calls.push({ id, status: reply.status, request, body: reply.body ?? null });
  }

  /** The operations that were called, by their IDs, as they are at every run. */
  async operations(): Promise<Record<string, RecordedOperation>> {
    await this.step();
    const lasted = this.#steps.at(-1)!.begun - this.#steps[0]!.begun;
    assert.ok(lasted < gridMs, `the calls took ${lasted} ms: their instants cannot be told apart`);
    for (const { request, body } of this.#calls) {
      this.#collect('', request);
      this.#collect('', body);
    }
    const recorded: Record<string, RecordedOperation> = {};
    for (const { id, status, request, body } of this.#calls) {
      const shown = this.#fixed('', request) as RecordedRequest;
      const operation = (recorded[id] ??= { request: shown, replies: {} });
      operation.replies[status] ??= this.#fixed('', body);
    }
    return recorded;
  }

  /** Gives every random text its fixed one, by where it is first. */
  #collect(name: string, value: unknown): void {
    if (typeof value === 'object' && value !== null) {
      const member = (key: string) => (Array.isArray(value) ? name : key);
      for (const [key, inner] of Object.entries(value)) this.#collect(member(key), inner);
      return;
    }
    const kept = random[name];
    if (typeof value !== 'string' || !kept?.test(value) || this.#texts.has(value)) return;
    const [prefix = ''] = kept.exec(value) ?? [];
    const seed = `${name} ${this.#texts.size}`;
    const length = value.length - prefix.length;
    const rest = prefix === 'whsec_' ? secretFor(seed) : lettersFor(seed, length);
    this.#texts.set(value.slice(prefix.length), rest);
  }

  #fixed(name: string, value: unknown): unknown {
    if (value !== null && name in measured) return measured[name];
    if (typeof value === 'string') return this.#fixedText(value);
    if (Array.isArray(value)) {
      return ordered(value.filter(isAsked).map((inner) => this.#fixed(name, inner)));
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, this.#fixed(key, inner)]),
    );
  }

  #fixedText(text: string): string {
    // The longest first: one may be a part of another.
    const texts = [...this.#texts].toSorted(([one], [other]) => other.length - one.length);
    const replaced = texts.reduce((whole, [real, shown]) => whole.replaceAll(real, shown), text);
    return replaced
      .replaceAll(signedForm, signature)
      .replaceAll(instantForm, (instant) => this.#instant(instant))
      .replaceAll(uuidForm, (uuid) => this.#uuid(uuid))
      .replaceAll(eventIdForm, (id) => `evt_${this.#uuid(id).replaceAll('-', '')}`)
      .replaceAll(referenceForm, (reference) => this.#reference(reference));
  }

  #uuid(real: string): string {
    return this.#known.getOrInsertComputed(real, () => {
      const hex = hash(`uuid ${this.#known.size}`).digest('hex');
      const version = real.startsWith('evt_') ? '7' : real.charAt(14);
      return `01a406c${hex[0]}-${hex.slice(1, 5)}-${version}${hex.slice(5, 8)}-a${hex.slice(8, 11)}-${hex.slice(11, 23)}`;
    });
  }

  #reference(real: string): string {
    if (references.includes(real)) return real;
    return this.#known.getOrInsertComputed(real, () => {
      const taken = [...this.#known.values()].filter((one) => one.startsWith('LK-')).length;
      const shown = references[taken];
      assert.ok(shown, 'there are more reservations than references for them');
      return shown;
    });
  }

  /** The instant of the step in which something happened, and as long after it as it is due. */
  #instant(text: string): string {
    const real = Date.parse(text);
    // Midnights and the like are not made by the clock.
    if (real % minuteMs === 0) return text;
    const first = this.#steps[0]!.begun;
    const later = Math.floor((real - first) / gridMs) * gridMs;
    const step = this.#steps.findLast(({ begun }) => begun <= real - later);
    return new Date(step!.shown + later).toISOString();
  }
}
