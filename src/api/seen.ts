/** What a caller has seen of a resource that it changes: its version, or a balance. */
export class Seen {
  /** Undefined: the caller accepts any. */
  readonly value: number | undefined;
  #isCompared = false;

  constructor(value: number | undefined) {
    this.value = value;
  }

  /** Whether the caller has seen what is stored now. Only this counts as a comparison. */
  isCurrent(stored: number): boolean {
    this.#isCompared = true;
    return this.value === undefined || this.value === stored;
  }

  /** Whether a handler has compared it. */
  get isCompared(): boolean {
    return this.#isCompared;
  }
}
