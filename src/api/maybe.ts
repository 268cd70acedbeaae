/** A value that may need waiting for. What a process has in memory is a value, and is not awaited. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value: at once if it is there, otherwise when it arrives. */
export const after = <T, U>(
  value: MaybePromise<T>,
  proceed: (value: T) => MaybePromise<U>,
): MaybePromise<U> => (value instanceof Promise ? value.then(proceed) : proceed(value));
