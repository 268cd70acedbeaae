/** What sessions came to: how often each answer was given. */
export class CallCounts {
  sessions = 0;
  calls = 0;
  /** Calls that were sent together with others. */
  atOnce = 0;
  /** Moments after which more than one world was possible. */
  ambiguous = 0;
  readonly answers = new Map<string, number>();

  count(does: string, answer: string): void {
    const key = `${does} ${answer}`;
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1);
  }

  race(calls: number, worlds: number): void {
    this.calls += calls;
    if (calls > 1) this.atOnce += calls;
    if (worlds > 1) this.ambiguous += 1;
  }
}
