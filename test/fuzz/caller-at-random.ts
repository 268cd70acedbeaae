/** A caller that sends random requests: one stream, reproducible by its seed. */
import type { RawResponse } from '../harness/raw-http.ts';
import { chanceOf, type Chance } from '../harness/chance.ts';
import { faultOf } from './judge.ts';
import type { Known } from './known.ts';
import { bytesOfDraft, nextDraft, type Caller, type Draft } from './requests.ts';
import { wireFault } from './wire-faults.ts';
import { sendFaulty, SteadyConnection } from './wire.ts';

/** A faulty response and how to reproduce it. */
export interface Finding {
  fault: string;
  /** Seed, stream and number of the request. */
  replay: string;
  request: string;
  response: string;
}

/** The counts of requests and responses, and the findings. */
export interface CallCounts {
  requests: number;
  responses: Map<string, number>;
  findings: Finding[];
}

const wireShare = 0.2;
const shownBytes = 1_500;

const shown = (bytes: Buffer | string): string =>
  Buffer.from(bytes).toString('latin1').slice(0, shownBytes);

interface CallerContext {
  origin: string;
  /** Who sends the next request. */
  caller: () => Promise<Caller>;
  seed: string;
  known: Known;
  callCounts: CallCounts;
}

/** One stream of requests. */
export class CallerAtRandom {
  readonly #origin: string;
  readonly #caller: CallerContext['caller'];
  readonly #chance: Chance;
  readonly #known: Known;
  readonly #connection: SteadyConnection;
  readonly #callCounts: CallCounts;
  readonly #stream: string;
  #number = 0;

  constructor(context: CallerContext) {
    this.#origin = context.origin;
    this.#caller = context.caller;
    this.#stream = context.seed;
    this.#chance = chanceOf(context.seed);
    this.#known = context.known;
    this.#connection = new SteadyConnection(context.origin);
    this.#callCounts = context.callCounts;
  }

  #report(fault: string, request: Buffer, response: RawResponse | null): void {
    const text = response ? `${response.status} ${shown(response.text)}` : 'none';
    const replay = `stream ${this.#stream}, request ${this.#number}`;
    this.#callCounts.findings.push({ fault, replay, request: shown(request), response: text });
  }

  #judge(request: Buffer, response: RawResponse | null, drawn: Draft | null): void {
    const isBodyless = drawn?.method === 'HEAD';
    const operationId = drawn?.isRouted ? drawn.operation.operationId : null;
    const fault = response ? faultOf(response, { operationId, isBodyless }) : 'no response';
    if (fault !== null) this.#report(fault, request, response);
    const outcome = response ? `${response.status}` : 'none';
    this.#callCounts.responses.set(outcome, (this.#callCounts.responses.get(outcome) ?? 0) + 1);
  }

  async #sendWhole(drawn: Draft, request: Buffer): Promise<void> {
    const isBodyless = drawn.method === 'HEAD';
    const response = await this.#connection.response(request, isBodyless);
    this.#judge(request, response, drawn);
    const isJson = response?.headers.get('content-type')?.startsWith('application/json');
    if (response && response.status < 300 && isJson) this.#known.learn(JSON.parse(response.text));
  }

  async #sendFaulty(request: Buffer): Promise<void> {
    const fault = wireFault(request, this.#chance);
    for (const response of await sendFaulty(this.#origin, fault)) {
      this.#judge(Buffer.concat([Buffer.from(`${fault.name}: `), ...fault.parts]), response, null);
    }
  }

  async #send(drawn: Draft, request: Buffer): Promise<void> {
    const isFaulty = drawn.method !== 'HEAD' && this.#chance.happens(wireShare);
    try {
      await (isFaulty ? this.#sendFaulty(request) : this.#sendWhole(drawn, request));
    } catch (error) {
      this.#report(`no response: ${(error as Error).message}`, request, null);
      this.#connection.close();
    }
  }

  /** Sends one request, checks the response, and stores its IDs. */
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
