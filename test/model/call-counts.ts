/** How often each call got each response. */
export class CallCounts {
  sessions = 0;
  calls = 0;
  /** Calls that were sent together with others. */
  atOnce = 0;
  /** How often more than one world was possible. */
  ambiguous = 0;
  readonly responses = new Map<string, number>();

  count(does: string, response: string): void {
    const key = `${does} ${response}`;
    this.responses.set(key, (this.responses.get(key) ?? 0) + 1);
  }

  race(calls: number, worlds: number): void {
    this.calls += calls;
    if (calls > 1) this.atOnce += calls;
    if (worlds > 1) this.ambiguous += 1;
  }
}
