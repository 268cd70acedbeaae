/** Cells that the tables of this page have in common. */
import { TextLink } from '../../../base/components/links.tsx';
import { dayText } from '../../words/days.ts';

/** The home, with a link to its page. */
export const Home = ({ listing, listingName }: { listing: string; listingName: string }) => (
  <TextLink to="/homes/$listing" params={{ listing }}>
    {listingName}
  </TextLink>
);

/** The first and the last day. */
export const nights = ({ from, to }: { from: string; to: string }): string =>
  `${dayText(from)} – ${dayText(to)}`;
