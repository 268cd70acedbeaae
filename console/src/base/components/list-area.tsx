import type { ReactNode } from 'react';

const listId = 'list';

/** A link over the filters of a list, for people who use the keyboard. It is seen while it has the focus. */
export const SkipToList = () => (
  <a className="skip" href={`#${listId}`}>
    Skip to the list
  </a>
);

/** Where the list is. */
export const ListArea = ({ children }: { children: ReactNode }) => (
  <div id={listId} tabIndex={-1} className="list-area">
    {children}
  </div>
);
