/** Dates in SQL: days since 1970-01-01 are integers in the code. */

/** The date of a number of days, such as a placeholder. */
export const dateOf = (days: string): string => `date '1970-01-01' + ${days}::integer`;

/** The number of days of a date. */
export const dayOf = (date: string): string => `${date} - date '1970-01-01'`;
