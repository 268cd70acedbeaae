/** Cells that the tables of this page have in common. */
import { TextLink } from '../../../base/components/links.tsx';

/** The home, with a link to its page. */
export const Home = ({ listing, listingName }: { listing: string; listingName: string }) => (
  <TextLink to="/homes/$listing" params={{ listing }} size="sm">
    {listingName}
  </TextLink>
);
