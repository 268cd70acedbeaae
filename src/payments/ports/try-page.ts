import type { PortAnswer } from '../../bookings/index.ts';

/** Where the guest is with the card fields, or with an authentication. */
export interface FieldsState {
  isDone: boolean;
  /** Null until the guest has confirmed a card. */
  paymentMethodId: string | null;
}

/** A page that shows the provider's card fields, to try them in the environment `test`. */
export interface TryPage {
  /** Where it is served. Its script is below it. */
  path: string;
  /** The page's `Content-Security-Policy`. */
  policy: string;
  /** The HTML of the page. `base`: the path of the base URL. */
  write(base: string): string;
  /** The JavaScript of the page. */
  script: string;
  /** Finds the state behind a client secret. Null: there is none. */
  findState(
    clientSecret: string,
    signal: AbortSignal,
  ): Promise<PortAnswer<{ state: FieldsState | null }>>;
}
