/**
 * Runs asynchronous work one step at a time, in an order that a seed decides. A step ends at a gate: before and
 * after each statement and each call of the provider.
 */
import { setImmediate as nextTick } from 'node:timers/promises';
import { DatabaseUnavailableError } from '../../../src/platform/postgres/database-errors.ts';
import type { Chance } from '../../harness/chance.ts';

/** A process was killed: nothing that it still does has an effect. */
export class KilledError extends Error {}

/** What can go wrong at gates, as probabilities. */
export interface GateFaults {
  /** A statement is not executed, or its answer is lost. */
  database: number;
}

interface Gate {
  label: string;
  process: SimulatedProcess | null;
  pass(): void;
  fail(error: Error): void;
  /** Only statements fail in this way. */
  isStatement: boolean;
}

/** A process that can be killed. */
export class SimulatedProcess {
  readonly name: string;
  isKilled = false;

  constructor(name: string) {
    this.name = name;
  }
}

// What a step does between two gates needs a few turns of the event loop, besides the database's answer.
const quietTurns = 4;

/** The order of all steps. */
export class Scheduler {
  readonly #chance: Chance;
  readonly trace: string[] = [];
  faults: GateFaults = { database: 0 };
  #gates: Gate[] = [];
  #answersAwaited = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  get waiting(): number {
    return this.#gates.length;
  }

  /** Waits until the scheduler lets this work go on. Rejects if its process is killed meanwhile. */
  gate(process: SimulatedProcess | null, label: string, isStatement = false): Promise<void> {
    if (process?.isKilled) return Promise.reject(new KilledError(process.name));
    return new Promise((pass, fail) => {
      this.#gates.push({ label, process, pass, fail, isStatement });
    });
  }

  /** Counts a call that leaves this process, so that the scheduler waits for its answer. */
  async answered<T>(work: () => Promise<T>): Promise<T> {
    this.#answersAwaited += 1;
    try {
      return await work();
    } finally {
      this.#answersAwaited -= 1;
    }
  }

  /** Waits until everything has come to a gate. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < quietTurns; turns += 1) {
      await nextTick();
      if (this.#answersAwaited > 0) turns = -1;
    }
  }

  /** Lets one step go on, or fail. */
  async release(): Promise<void> {
    const [gate] = this.#gates.splice(this.#chance.below(this.#gates.length), 1);
    if (!gate) return;
    const { label, process, isStatement } = gate;
    const fails = isStatement && this.#chance.happens(this.faults.database);
    this.trace.push(`${process?.name ?? 'client'} ${label}${fails ? ' fails' : ''}`);
    if (fails) gate.fail(new DatabaseUnavailableError('simulated'));
    else gate.pass();
    await this.quiet();
  }

  /** Kills a process: what it has begun ends here. */
  async kill(process: SimulatedProcess): Promise<void> {
    process.isKilled = true;
    const mine = this.#gates.filter((gate) => gate.process === process);
    this.#gates = this.#gates.filter((gate) => gate.process !== process);
    this.trace.push(`kill ${process.name} at ${mine.map(({ label }) => label).join(', ')}`);
    for (const gate of mine) gate.fail(new KilledError(process.name));
    await this.quiet();
  }
}
