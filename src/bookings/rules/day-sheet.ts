/** The lists of a day sheet. A stay is in one of them at most. */
const lists = {
  arrivals: ({ checkIn }: Days, date: string) => checkIn === date,
  departures: ({ checkOut }: Days, date: string) => checkOut === date,
  inHouse: ({ checkIn, checkOut }: Days, date: string) => checkIn < date && date < checkOut,
} as const;

interface Days {
  checkIn: string;
  checkOut: string;
}

/** Who arrives, who leaves, and who has arrived before this day and leaves after it. Spec: OPERATOR-11. */
export const sheetOf = <Stay extends Days>(
  stays: readonly Stay[],
  date: string,
): Record<keyof typeof lists, Stay[]> => ({
  arrivals: stays.filter((stay) => lists.arrivals(stay, date)),
  departures: stays.filter((stay) => lists.departures(stay, date)),
  inHouse: stays.filter((stay) => lists.inHouse(stay, date)),
});
