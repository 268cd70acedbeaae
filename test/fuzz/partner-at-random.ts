/** A partner that sends anything: one stream of requests, the same for the same seed. */
import type { Partner } from '../harness/partner.ts';
import type { RawAnswer } from '../harness/raw-http.ts';
import { chanceOf, type Chance } from './chance.ts';
import { faultOf } from './judge.ts';
import { Known } from './known.ts';
import { bytesOfDraft, nextDraft, type Caller, type Draft } from './requests.ts';
import { wireFault } from './wire-faults.ts';
import { sendFaulty, SteadyConnection } from './wire.ts';

/** An answer that must not be, and how to get it again. */
export interface Finding {
  fault: string;
  /** Seed, stream and number of the request. */
  replay: string;
  request: string;
  answer: string;
}

/** What has been sent and answered. */
export interface CallCounts {
  requests: number;
  answers: Map<string, number>;
  findings: Finding[];
}

const wireShare = 0.2;
const shownBytes = 1_500;
const tokenKeptMs = 600_000;

const shown = (bytes: Buffer | string): string =>
  Buffer.from(bytes).toString('latin1').slice(0, shownBytes);

/** The credentials as the token endpoint takes them. */
const tokenFormOf = ({ credentials }: Partner): Record<string, string> => ({
  client_id: credentials.applicationId,
  client_secret: credentials.applicationKey,
});

interface Parts {
  partner: Partner;
  /** Whose credentials go to the token endpoint at random: its limit is soon used up. */
  exhausted: Partner;
  seed: string;
  stay: Known['stay'];
  callCounts: CallCounts;
}

/** One stream of requests. */
export class PartnerAtRandom {
  readonly #partner: Partner;
  readonly #tokenForm: Record<string, string>;
  readonly #chance: Chance;
  readonly #known: Known;
  readonly #connection: SteadyConnection;
  readonly #callCounts: CallCounts;
  readonly #stream: string;
  #token: { text: Promise<string>; until: number } | null = null;
  #number = 0;

  constructor(parts: Parts) {
    this.#partner = parts.partner;
    this.#tokenForm = tokenFormOf(parts.exhausted);
    this.#stream = parts.seed;
    this.#chance = chanceOf(parts.seed);
    this.#known = new Known(parts.stay);
    this.#connection = new SteadyConnection(parts.partner.origin);
    this.#callCounts = parts.callCounts;
  }

  async #caller(): Promise<Caller> {
    if (this.#token === null || performance.now() > this.#token.until) {
      const until = performance.now() + tokenKeptMs;
      this.#token = { text: this.#partner.freshToken(), until };
    }
    return { token: await this.#token.text, tokenForm: this.#tokenForm };
  }

  #report(fault: string, request: Buffer, answer: RawAnswer | null): void {
    const text = answer ? `${answer.status} ${shown(answer.text)}` : 'none';
    const replay = `stream ${this.#stream}, request ${this.#number}`;
    this.#callCounts.findings.push({ fault, replay, request: shown(request), answer: text });
  }

  #judge(request: Buffer, answer: RawAnswer | null, drawn: Draft | null): void {
    const isBodyless = drawn?.method === 'HEAD';
    const operationId = drawn?.isRouted ? drawn.operation.operationId : null;
    const fault = answer ? faultOf(answer, { operationId, isBodyless }) : 'no answer';
    if (fault !== null) this.#report(fault, request, answer);
    const outcome = answer ? `${answer.status}` : 'none';
    this.#callCounts.answers.set(outcome, (this.#callCounts.answers.get(outcome) ?? 0) + 1);
  }

  async #sendWhole(drawn: Draft, request: Buffer): Promise<void> {
    const isBodyless = drawn.method === 'HEAD';
    const answer = await this.#connection.answer(request, isBodyless);
    this.#judge(request, answer, drawn);
    if (answer && answer.status < 300) this.#known.learn(JSON.parse(answer.text));
  }

  async #sendFaulty(request: Buffer): Promise<void> {
    const fault = wireFault(request, this.#chance);
    for (const answer of await sendFaulty(this.#partner.origin, fault)) {
      this.#judge(Buffer.concat([Buffer.from(`${fault.name}: `), ...fault.parts]), answer, null);
    }
  }

  async #send(drawn: Draft, request: Buffer): Promise<void> {
    const isFaulty = drawn.method !== 'HEAD' && this.#chance.happens(wireShare);
    try {
      await (isFaulty ? this.#sendFaulty(request) : this.#sendWhole(drawn, request));
    } catch (error) {
      this.#report(`not answered: ${(error as Error).message}`, request, null);
      this.#connection.close();
    }
  }

  /** Sends one request, judges the answer, and learns from it. */
  async step(): Promise<void> {
    const making = { chance: this.#chance, known: this.#known };
    const drawn = nextDraft(making, await this.#caller());
    this.#number += 1;
    this.#callCounts.requests += 1;
    await this.#send(drawn, bytesOfDraft(drawn));
  }

  close(): void {
    this.#connection.close();
  }
}
