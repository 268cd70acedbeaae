/** A value or a promise. A value that is in memory is not awaited. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value: at once, or when its promise resolves. */
export const after = <T, U>(
  value: MaybePromise<T>,
  proceed: (value: T) => MaybePromise<U>,
): MaybePromise<U> => (value instanceof Promise ? value.then(proceed) : proceed(value));

/** All values: at once, or when their promises resolve. */
export const all = <T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> =>
  values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
