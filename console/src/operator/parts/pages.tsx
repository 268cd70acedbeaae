import { Paging, type PagingProps } from '../../base/parts/paging.tsx';

/** Buttons for the first and the next page of a list that does not begin with the newest. */
export const Pages = (props: PagingProps) => (
  <Paging {...props} first="First page" next="Next page" />
);
