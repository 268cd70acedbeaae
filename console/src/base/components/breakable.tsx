import { Fragment } from 'react';

const ends = /(?<=[/._:?&=@,-])/;
const longestWord = 30;

/** A path, name or address in one typeface that breaks only after a separator; what is longer than a word, anywhere. */
export const Breakable = ({ text }: { text: string }) => (
  <span className="mono-words">
    {text.split(ends).map((part, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a text never change places
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part.length > longestWord ? <span className="break">{part}</span> : part}
      </Fragment>
    ))}
  </span>
);
