/** What goes into the headers of an answer. */
export interface ResponseHeaders {
  etag?: string;
  /** Of 202: the resource to read for the outcome. */
  location?: string;
  /** Of 202: while there is something to wait for. */
  retryAfterSeconds?: number;
  /** A whole `Set-Cookie`. */
  cookie?: string;
}

/** An answer whose bytes were made before. */
export interface ReadyBytes {
  status: 200;
  bytes: Buffer;
}

/** The caller has the content already. */
export interface NotModified {
  status: 304;
}

/** Any answer that is not an error, seen without its operation. */
export interface AnyResponse extends ResponseHeaders {
  status: number;
  /** Null: the answer has no body. */
  body?: object | null;
  bytes?: Buffer;
}

/** 304 if the caller has these bytes already, otherwise the bytes. */
export function readyBytes(
  knownTags: readonly string[],
  bytes: Buffer,
  etag: string,
): (ReadyBytes | NotModified) & ResponseHeaders {
  const known = knownTags.includes(etag) || knownTags.includes('*');
  return known ? { status: 304, etag } : { status: 200, bytes, etag };
}
