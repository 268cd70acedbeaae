/** The parameters of a request to the provider: form-encoded, nested by brackets, every value a string. */
import description from './description.json' with { type: 'json' };
import type { CallDescription } from './read-declarations.ts';

/** A decoded parameter. */
export type Parameter = string | Parameter[] | { [name: string]: Parameter };
export type Parameters = Record<string, Parameter>;

type Node = Map<string, Node> | string;

function insert(into: Map<string, Node>, [name = '', ...rest]: string[], value: string): void {
  if (rest.length === 0) {
    into.set(name, value);
    return;
  }
  const inner = into.get(name);
  const next = inner instanceof Map ? inner : new Map<string, Node>();
  into.set(name, next);
  insert(next, rest, value);
}

function plain(node: Node): Parameter {
  if (typeof node === 'string') return node;
  const entries = [...node].map(([name, inner]) => [name, plain(inner)] as const);
  const isList = entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** Decodes `metadata[a]=1&expand[0]=b`. */
export function decodeForm(text: string): Parameters {
  const root = new Map<string, Node>();
  for (const [name, value] of new URLSearchParams(text)) {
    insert(root, name.replaceAll(']', '').split('['), value);
  }
  return Object.fromEntries([...root].map(([name, node]) => [name, plain(node)]));
}

const isScalar = (value: Parameter): value is string => typeof value === 'string';
const integer = /^\d{1,15}$/;

const kinds: Readonly<Record<string, (value: Parameter) => boolean>> = {
  string: isScalar,
  number: (value) => isScalar(value) && integer.test(value),
  boolean: (value) => value === 'true' || value === 'false',
  array: Array.isArray,
  object: (value) => typeof value === 'object',
  map: (value) => typeof value === 'object' && Object.values(value).every(isScalar),
  range: (value) => (isScalar(value) ? integer.test(value) : !Array.isArray(value)),
};

/** What is wrong with a parameter, as the provider names it. */
export interface ParameterProblem {
  code: 'parameter_unknown' | 'parameter_missing' | 'parameter_invalid';
  param: string;
}

const fits = (kind: string, value: Parameter): boolean =>
  kinds[kind]?.(value) ?? (isScalar(value) && kind.split('|').includes(value));

function problemOf(call: CallDescription, name: string, value: Parameter): ParameterProblem | null {
  const kind = call[name];
  if (kind === undefined) return { code: 'parameter_unknown', param: name };
  return fits(kind.replace('?', ''), value) ? null : { code: 'parameter_invalid', param: name };
}

/** Checks the parameters of a call against the provider's description. Null: they are right. */
export function checkParameters(call: string, given: Parameters): ParameterProblem | null {
  const calls: Readonly<Record<string, CallDescription>> = description.calls;
  const described = calls[call];
  if (!described) throw new Error(`the description has no call ${call}`);
  for (const [name, value] of Object.entries(given)) {
    const problem = problemOf(described, name, value);
    if (problem) return problem;
  }
  const missing = Object.keys(described).find(
    (name) => !described[name]?.endsWith('?') && !(name in given),
  );
  return missing === undefined ? null : { code: 'parameter_missing', param: missing };
}
