/** The counts of a long run. */
import { isAcknowledged } from './history.ts';
import type { Workload } from './workload.ts';

/** Counts by name. */
type Counts = Map<string, number>;

const add = (counts: Counts, name: string, much = 1): void => {
  counts.set(name, (counts.get(name) ?? 0) + much);
};

/** The figures of a run, over all its episodes. */
export class Figures {
  readonly faults: Counts = new Map();
  readonly calls: Counts = new Map();
  readonly bookings: Counts = new Map();
  readonly acts: Counts = new Map();
  events = 0;
  longestMs = 0;

  /** Adds an episode. */
  add(kind: string, faults: number, { history, ended, acts }: Workload): void {
    add(this.faults, kind, faults);
    for (const called of history.calls) {
      const { response, startedAt, endedAt } = called;
      add(
        this.calls,
        isAcknowledged(called) ? 'acknowledged' : String(response?.status ?? 'no response'),
      );
      this.longestMs = Math.max(this.longestMs, endedAt - startedAt);
    }
    for (const [state, count] of ended) add(this.bookings, state, count);
    for (const [act, count] of acts) add(this.acts, act, count);
    for (const feed of history.feeds.values()) this.events += feed.length;
  }

  /** A text report. */
  text(): string {
    const rows = (counts: Counts): string =>
      [...counts].map(([name, count]) => `  ${String(count).padStart(8)}  ${name}`).join('\n');
    return [
      `faults\n${rows(this.faults)}`,
      `calls\n${rows(this.calls)}`,
      `bookings, by how they ended\n${rows(this.bookings)}`,
      `acts of staff\n${rows(this.acts)}`,
      `events in the feeds ${this.events}`,
      `longest call ${Math.round(this.longestMs)} ms`,
    ].join('\n');
  }
}
