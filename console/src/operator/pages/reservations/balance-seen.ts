/** The balance that a preview was decided on, which must still be it when it is done. */
export const balanceSeen = ({ openBefore }: { openBefore: number | null }) =>
  openBefore === null ? {} : { expectedBalance: openBefore };
