/** The values of some members of rows, an array for each member: what `unnest` makes rows of again. */
export const columnsOf = <Row>(
  rows: readonly Row[],
  ...members: (keyof Row)[]
): Row[keyof Row][][] => members.map((member) => rows.map((row) => row[member]));
