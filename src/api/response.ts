/** Names of headers, each followed by its value. */
export type HeaderPairs = readonly string[];

/** The headers of a response that a handler sets. */
export interface ResponseHeaders {
  etag?: string;
  /** The time up to which the response includes all changes, as `x-as-of`. */
  asOf?: string;
  /** On 202: the resource to read for the outcome. */
  location?: string;
  /** On 202: present while the outcome is pending. */
  retryAfterSeconds?: number;
  /** When the operation was deprecated, for this caller alone; in place of that of its row. */
  deprecation?: string;
  /** The type of prepared bytes that are no JSON. */
  mediaType?: string;
  /** The value of `Set-Cookie`. */
  cookie?: string;
}

/** A response with prepared bytes, in one or more pieces. */
export interface ReadyBytes {
  status: 200;
  bytes: readonly Buffer[];
}

/** What a caller gets in place of a response: the page of a proxy, or the end of the connection. */
export type Damage = { html: number } | 'dropped';

/** Any successful response, without the types of its operation. */
export interface AnyResponse extends ResponseHeaders {
  status: number;
  /** Null: no body. */
  body?: object | null;
  bytes?: readonly Buffer[];
  /** Replaces the whole response. */
  damage?: Damage;
}
