/** The choices of the filters of logged calls. */
import { errors } from '#contract/errors.ts';
import { partnerCalls, productWord } from '../words/product-words.ts';

export const statusChoices = [
  { value: '2xx', label: '2xx, succeeded' },
  { value: '3xx', label: '3xx, unchanged' },
  { value: '4xx', label: '4xx, refused' },
  { value: '5xx', label: '5xx, error on our side' },
];

/** The codes as developers know them. */
export const codesAsTheyAre = Object.keys(errors).map((value) => ({ value, label: value }));

export const codeChoices = Object.keys(errors).map((value) => ({
  value,
  label: productWord(value),
}));

/** The calls that partners make, by their words. */
export const callChoices = partnerCalls
  .map((value) => ({ value, label: productWord(value) }))
  .toSorted((a, b) => a.label.localeCompare(b.label));
