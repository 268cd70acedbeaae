import { createContext, use } from 'react';
import { Breakable } from './breakable.tsx';
import { capitalized, memberWords, productWord } from '../words/product-words.ts';

/** Whether pages are for developers, who need the words of the machine as they are. */
export const ForDevelopers = createContext(false);

/** A word of the machine as that of the product, with the machine's on hover. */
export const Word = ({ of }: { of: string }) =>
  use(ForDevelopers) ? <Breakable text={of} /> : <span title={of}>{productWord(of)}</span>;

/** The name of a member of a request, by its path. */
export function MemberName({ of }: { of: string }) {
  const asItIs = use(ForDevelopers);
  if (asItIs) return <Breakable text={of === '' ? 'the body' : of} />;
  return <span title={of}>{capitalized(memberWords(of)) || 'All of it'}</span>;
}
