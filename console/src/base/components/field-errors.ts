/** What the service says of single members of a request, shown at the fields of a form. */
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';
import { CallFailure } from '../api/call.ts';
import { withDayTexts } from '../words/dates.ts';

// An empty field of a form is a text without a character.
const emptyText = 'must not have fewer than 1 characters';

/** What is wrong with a member, as a sentence. The service says `must be …`, `is required`. */
export const asSentence = (message: string): string =>
  `It ${message === emptyText ? 'is required' : withDayTexts(message)}.`;

/** What the service says of each member, by its path in the request: `/checkOut`. */
export function fieldErrors(error: Error | null): ReadonlyMap<string, string> {
  const fields = error instanceof CallFailure ? error.fields : [];
  return new Map(fields.map(({ path, message }) => [path, asSentence(message)]));
}

/** The failure, unless the fields with these paths show all of it. */
export function failureBeside(error: Error | null, paths: readonly string[]): Error | null {
  const said = [...fieldErrors(error).keys()];
  return said.length > 0 && said.every((path) => paths.includes(path)) ? null : error;
}

/**
 * Shows what the service says of members at the fields of a form. Returns the failure that is to be shown beside
 * them. `fields` names those whose members have another name: `{ '/eventTypes': 'types' }`.
 */
export function useFieldErrors<Values extends object>(
  form: UseFormReturnType<Values>,
  error: Error | null,
  fields: Readonly<Record<string, keyof Values & string>> = {},
): Error | null {
  const { setErrors } = form;
  const fieldOf = (path: string): string => fields[path] ?? path.slice(1);
  const knownOf = (failed: Error | null) =>
    [...fieldErrors(failed)].filter(([path]) => fieldOf(path) in form.values);
  const show = useEffectEvent((failed: Error | null) => {
    const known = knownOf(failed).map(([path, message]) => [fieldOf(path), message]);
    if (known.length > 0) setErrors(Object.fromEntries(known));
  });
  // Once for each error: its messages go when their fields are changed, and are not shown again.
  useEffect(() => show(error), [error]);
  const shown = knownOf(error).map(([path]) => path);
  return failureBeside(error, shown);
}
