/** What the one search has found, as lines that lead to pages. */
import type { Found } from '../api/search.ts';
import { hrefOf } from '../words/addresses.ts';
import { dayText, stayText } from '../words/days.ts';
import { stateLabel } from '../words/states.ts';

/** A line of what was found. */
export interface Result {
  key: string;
  name: string;
  about: string;
  href: string;
}

const joined = (parts: readonly (string | null | undefined)[]): string =>
  parts.filter(Boolean).join(' · ');

function stayLine(stay: Found['stays'][number]): Result {
  const { reference, checkoutId, applicationId, kind, guest, state } = stay;
  const home = stay.listingName ?? stay.listing;
  const about = joined([
    reference ?? 'No reservation',
    stateLabel(state).name,
    stay.phone,
    stay.application,
  ]);
  return {
    key: `${kind} ${applicationId} ${checkoutId}`,
    name: joined([guest ?? 'Guest removed', stayText(stay.checkIn, stay.checkOut), home]),
    about,
    href:
      reference === null
        ? hrefOf(['checkouts', checkoutId], { applicationId, kind })
        : hrefOf(['reservations', reference]),
  };
}

/** A day leads to its sheet; with one home, to the nights of the home. */
function dayLines({ night, homes }: Found): Result[] {
  if (night === null) return [];
  const [home, ...others] = homes;
  if (home && others.length === 0) {
    const href = hrefOf(['calendar'], { from: night, text: home.listing });
    return [{ key: 'calendar', name: `Calendar from ${dayText(night)}`, about: home.name, href }];
  }
  return [
    {
      key: 'day sheet',
      name: `Day sheet of ${dayText(night)}`,
      about: 'Who arrives, who leaves and who stays',
      href: hrefOf(['day-sheet'], { date: night }),
    },
    {
      key: 'calendar',
      name: `Calendar from ${dayText(night)}`,
      about: 'All homes',
      href: hrefOf(['calendar'], { from: night }),
    },
  ];
}

const homeLine = ({ listingId, listing, name, destination }: Found['homes'][number]): Result => ({
  key: listingId,
  name,
  about: joined(['Home', destination, listing]),
  href: hrefOf(['homes', listing]),
});

const partnerLine = ({ applicationId, name }: Found['partners'][number]): Result => ({
  key: applicationId,
  name,
  about: 'Partner',
  href: hrefOf(['partners', applicationId]),
});

/** The lines, what a phone call is about first. */
export const resultsOf = (found: Found): Result[] => [
  ...found.stays.map(stayLine),
  ...dayLines(found),
  ...found.homes.map(homeLine),
  ...found.partners.map(partnerLine),
];
