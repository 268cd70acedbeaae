import { Fragment } from 'react';

/** A text of the service with its `names` in the typeface of code. */
export const Coded = ({ text }: { text: string }) =>
  text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a text never change places
      <span key={index} className="mono">
        {part}
      </span>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a text never change places
      <Fragment key={index}>{part}</Fragment>
    ),
  );
