import type { InvalidField } from '../contract/errors.ts';

/** A parsed query; each name once. */
export interface ParsedQuery {
  values: Record<string, string>;
  fields: InvalidField[];
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/** Parses the text after `?` strictly: malformed encoding and repeated names are reported. Spec: CALL-9. */
export function parseQuery(text: string): ParsedQuery {
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  const fields: InvalidField[] = [];
  for (const pair of text === '' ? [] : text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    const value = decoded(equals === -1 ? '' : pair.slice(equals + 1));
    if (name === null || value === null) {
      fields.push({ path: `query/${name ?? ''}`, message: 'is not percent-encoded UTF-8' });
    } else if (name in values) {
      fields.push({ path: `query/${name}`, message: 'was given more than once' });
    } else {
      values[name] = value;
    }
  }
  return { values, fields };
}
