/** The choices of the filters of logged calls. */
import { errors } from '#contract/errors.ts';

export const statusChoices = [
  { value: '2xx', label: '2xx, succeeded' },
  { value: '3xx', label: '3xx, unchanged' },
  { value: '4xx', label: '4xx, refused' },
  { value: '5xx', label: '5xx, error on our side' },
];

export const codeChoices = Object.keys(errors).map((value) => ({ value, label: value }));
