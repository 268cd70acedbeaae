/** An administrator of the installation and a partner in its portal: what they write is written seldom otherwise. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../harness/chance.ts';
import type { OperatorOperationId } from '../../src/contract/operator/operations.ts';
import type { PortalOperationId } from '../../src/contract/portal/operations.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import type { AnyOperatorInput, Operator } from '../harness/operator.ts';
import { PortalCaller, type PortalInput } from '../harness/portal.ts';
import { sql } from '../harness/rows.ts';
import { signedIn } from '../harness/staff-member.ts';
import type { History } from './history.ts';

const betweenTriesMs = 100;
const triesAtMost = 600;
const later: ReadonlySet<number> = new Set([429, 503]);
// What is said of something that an earlier attempt has done, whose response was lost.
const doneBefore: ReadonlySet<number> = new Set([401, 404, 409, 412]);
// A receiver that is not there.
const hook = 'http://127.0.0.1:9/hook';

type Body = Readonly<Record<string, unknown>>;
type Params = Readonly<Record<string, unknown>>;

interface Reply {
  status: number;
  body: unknown;
}

/** What the work is written to. */
interface Notes {
  history: History;
  count(act: string): void;
}

/** How long it goes on. */
interface Until {
  isOver(): boolean;
  signal: AbortSignal;
}

/** Somebody who does each act of administration in turn, and makes a call again until it is answered. */
export class RareWriters {
  readonly #at: { database: Database; origin: string };
  readonly #operator: Operator;
  readonly #name: string;
  readonly #catalog: string | undefined;
  readonly #made: string[] = [];
  #signal: AbortSignal | null = null;

  private constructor(
    at: { database: Database; origin: string },
    operator: Operator,
    name: string,
    catalog: string | undefined,
  ) {
    this.#at = at;
    this.#operator = operator;
    this.#name = name;
    this.#catalog = catalog;
  }

  /** Signs in. `catalog`: what new partners sell; absent: the only one. */
  static async open(
    at: { database: Database; origin: string },
    name: string,
    catalog?: string,
  ): Promise<RareWriters> {
    const { operator } = await signedIn(at);
    return new RareWriters(at, operator, name, catalog);
  }

  /** Administers until it is over, and notes what was made twice or not at all. */
  async work(notes: Notes, chance: Chance, { isOver, signal }: Until): Promise<void> {
    this.#signal = signal;
    const acts = [this.#applications, this.#staff, this.#promotions];
    for (let round = 0; !isOver(); round += 1) {
      try {
        await acts[round % acts.length]!.call(this, `${this.#name}-${round}`, isOver);
        notes.count('administration done');
      } catch (error) {
        if (!signal.aborted) notes.history.surprises.push(`administration: ${String(error)}`);
      }
      await sleep(chance.below(betweenTriesMs));
    }
    notes.history.surprises.push(...(await this.#madeWrong()));
  }

  /** A partner, its keys, its endpoint, and its portal. */
  async #applications(name: string, isOver: () => boolean): Promise<void> {
    const { applicationId } = await this.#do('operator.application.create', undefined, {
      name,
      settlement: 'partner',
      grants: ['catalog', 'search'],
      ...(this.#catalog !== undefined && { catalog: this.#catalog }),
    });
    this.#made.push(name);
    const of = { applicationId };
    await this.#do('operator.application.change', of, { grants: ['catalog'] });
    await this.#do('operator.application.setQuotas', of, { read: 100 });
    const { keyId } = await this.#do('operator.key.issue', of, {});
    await this.#do('operator.key.revoke', { keyId }, {});
    await this.#endpoint(of);
    if (isOver()) return;
    await this.#portal(of);
    const person = { name: 'A person', email: `${name}@partner.example` };
    const { personId } = await this.#do('operator.portalPerson.invite', of, person);
    await this.#do('operator.portalPerson.remove', { ...of, personId });
    await this.#do('operator.application.suspend', of, { reason: 'the fault run' });
    await this.#do('operator.application.resume', of, {});
  }

  async #endpoint(of: Params): Promise<void> {
    const { endpointId } = await this.#do('operator.endpoint.add', of, { url: hook });
    const at = { endpointId };
    await this.#do('operator.endpoint.pause', at, {});
    await this.#do('operator.endpoint.resume', at, { missed: 'replay' });
    await this.#do('operator.endpoint.rotateSecret', at, {});
    const since = new Date(Date.now() - 3_600_000).toISOString();
    await this.#do('operator.endpoint.replayFailed', at, { since });
    await this.#do('operator.endpoint.replayMissed', at, {});
    await this.#do('operator.endpoint.delete', at);
  }

  async #portal(of: Params): Promise<void> {
    // The address of a link is shown once.
    const { url } = await this.#do('operator.application.portalLink', of, {});
    if (typeof url !== 'string') return;
    const partner = new PortalCaller(this.#at.origin);
    const link = url.split('#link=')[1]!;
    const { status } = await this.#answered('portal.session.begin', () => partner.enter(link));
    // The link was used by an attempt whose response was lost.
    if (status !== 201) return;
    const call = async (id: PortalOperationId, params?: Params, body?: Body): Promise<Body> => {
      const input = { ...(params && { params }), ...(body && { body }) };
      const send = () => partner.call(id, input as PortalInput<PortalOperationId>);
      return (await this.#answered(id, send)).body as Body;
    };
    const { endpointId } = await call('portal.endpoint.add', undefined, { url: hook });
    if (endpointId !== undefined) {
      const at = { endpointId };
      await call('portal.endpoint.change', at, { description: 'changed' });
      await call('portal.endpoint.test', at, { type: 'reservation.confirmed' });
      await call('portal.endpoint.rotateSecret', at, {});
      await call('portal.endpoint.pause', at, {});
      await call('portal.endpoint.delete', at);
    }
    await call('portal.session.end');
  }

  /** A member of staff, a token, and a session. */
  async #staff(name: string): Promise<void> {
    const email = `${name}@staff.example`;
    await this.#do('operator.staff.invite', undefined, { email, role: 'viewer' });
    await this.#do('operator.staff.requireSecondFactor', undefined, { required: false });
    const token = { name, role: 'reservations' };
    const { tokenId } = await this.#do('operator.token.issue', undefined, token);
    await this.#do('operator.token.revoke', { tokenId }, {});
    const other = (await this.#retried(() => signedIn(this.#at))).operator;
    const end = () => other.send('operator.session.end');
    await this.#answered('operator.session.end', end);
  }

  async #promotions(name: string): Promise<void> {
    const promotion = { code: name.toUpperCase(), label: 'Made', percent: 10 };
    const catalog = this.#catalog !== undefined && { catalog: this.#catalog };
    await this.#do('operator.promotion.add', undefined, { promotion, ...catalog });
    const at = { code: promotion.code };
    await this.#do('operator.promotion.pause', at, {});
    await this.#do('operator.promotion.resume', at, {});
    await this.#do('operator.promotion.change', at, { promotion: { ...promotion, percent: 12 } });
    await this.#do('operator.promotion.end', at, {});
  }

  /** Applications that are there more than once, or not at all. */
  async #madeWrong(): Promise<string[]> {
    const text =
      'SELECT name, count(*)::int AS times FROM applications WHERE name = ANY ($1) GROUP BY 1';
    const rows = await sql<{ name: string; times: number }>(this.#at.database, text, [this.#made]);
    const times = new Map(rows.map((row) => [row.name, row.times]));
    return this.#made
      .filter((name) => times.get(name) !== 1)
      .map((name) => `application ${name} was made ${times.get(name) ?? 0} times`);
  }

  async #do(id: OperatorOperationId, params?: Params, body?: Body): Promise<Body> {
    const input = { ...(params && { params }), ...(body && { body }) } as AnyOperatorInput;
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const reply = await this.#answered(id, () => this.#operator.send(id, input, headers));
    return reply.body as Body;
  }

  /** Makes a call until it is answered. What a lost attempt has done may be said to be done. */
  async #answered(id: string, send: () => Promise<Reply>): Promise<Reply> {
    // An import that replaces a catalog ends its promotions.
    let lost = id.startsWith('operator.promotion.');
    for (let tried = 0; tried < triesAtMost; tried += 1) {
      this.#signal?.throwIfAborted();
      const reply = await send().catch((error: unknown) => {
        if (error instanceof Error && error.name === 'AssertionError') throw error;
        return null;
      });
      if (reply && reply.status < 300) return reply;
      if (reply && lost && doneBefore.has(reply.status)) return reply;
      if (reply && !later.has(reply.status)) {
        throw new Error(`${id} returned ${reply.status} ${JSON.stringify(reply.body)}`);
      }
      lost = true;
      await sleep(betweenTriesMs);
    }
    throw new Error(`${id} was never answered`);
  }

  async #retried<T>(work: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await work();
      } catch (error) {
        this.#signal?.throwIfAborted();
        if (tried === triesAtMost) throw error;
        await sleep(betweenTriesMs);
      }
    }
  }
}
