/** The days of the week as the catalog file names them. Without the schemas, which the console does not need. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
