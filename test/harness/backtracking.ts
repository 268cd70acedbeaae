/**
 * A matcher of regular expressions that backtracks as that of JavaScript does, and counts its steps; and texts that
 * make it backtrack most. A pattern is linear if twice the text needs about twice the steps.
 */

type Node =
  | { kind: 'set'; contains(char: string): boolean; samples: string[] }
  | { kind: 'sequence'; parts: Node[] }
  | { kind: 'either'; branches: Node[] }
  | { kind: 'repeat'; body: Node; min: number; max: number }
  | { kind: 'edge'; at: 'start' | 'end' }
  | { kind: 'ahead'; body: Node; isNegative: boolean };

const candidates = [...'aZTz01234569-_.,:;/@ !~é\t\n\u0001'];

/** Reads a pattern: the part of the syntax that the contract uses. Throws for anything else. */
function parsed(pattern: string): Node {
  let at = 0;
  const peek = (text: string): boolean => pattern.startsWith(text, at);
  const take = (text: string): boolean => {
    if (!peek(text)) return false;
    at += text.length;
    return true;
  };

  function set(source: string): Node {
    const one = new RegExp(`^${source}$`);
    const literal = /^\\?(.)$/s.exec(source)?.[1];
    const own = literal !== undefined && one.test(literal) ? [literal] : [];
    const samples = [...own, ...candidates.filter((char) => one.test(char))].slice(0, 3);
    if (samples.length === 0) throw new Error(`no character is known of ${source}`);
    return { kind: 'set', contains: (char) => one.test(char), samples };
  }

  function atom(): Node {
    if (take('^')) return { kind: 'edge', at: 'start' };
    if (take('$')) return { kind: 'edge', at: 'end' };
    for (const [opening, isNegative] of [
      ['(?=', false],
      ['(?!', true],
    ] as const) {
      if (take(opening)) return { kind: 'ahead', body: closed(), isNegative };
    }
    if (take('(?:') || take('(')) return closed();
    const [source] =
      /^(?:\[(?:\\.|[^\]\\])+\]|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\.|[^()[\]*+?{}|])/is.exec(
        pattern.slice(at),
      ) ?? [];
    if (source === undefined) throw new Error(`not known: ${pattern.slice(at)}`);
    at += source.length;
    return set(source);
  }

  function closed(): Node {
    const body = either();
    if (!take(')')) throw new Error(`not closed: ${pattern}`);
    return body;
  }

  function repeated(body: Node): Node {
    const [text, least, comma, most] =
      /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(pattern.slice(at)) ?? [];
    if (text === undefined) return body;
    at += text.length;
    if (text === '*') return { kind: 'repeat', body, min: 0, max: Infinity };
    if (text === '+') return { kind: 'repeat', body, min: 1, max: Infinity };
    if (text === '?') return { kind: 'repeat', body, min: 0, max: 1 };
    const min = Number(least);
    const max = comma === '' ? min : most === '' ? Infinity : Number(most);
    return { kind: 'repeat', body, min, max };
  }

  function sequence(): Node {
    const parts: Node[] = [];
    while (at < pattern.length && !peek('|') && !peek(')')) parts.push(repeated(atom()));
    return { kind: 'sequence', parts };
  }

  function either(): Node {
    const branches = [sequence()];
    while (take('|')) branches.push(sequence());
    return branches.length === 1 ? branches[0]! : { kind: 'either', branches };
  }

  const whole = either();
  if (at < pattern.length) throw new Error(`not known: ${pattern.slice(at)}`);
  return whole;
}

type Next = (at: number) => boolean;

/** Makes the function that counts the steps until a text matches, or does not. */
export function stepCounter(pattern: string): (text: string) => number {
  const whole = parsed(pattern);
  return (text) => {
    let steps = 0;

    function match(node: Node, at: number, next: Next): boolean {
      steps += 1;
      switch (node.kind) {
        case 'set':
          return at < text.length && node.contains(text[at]!) && next(at + 1);
        case 'edge':
          return at === (node.at === 'start' ? 0 : text.length) && next(at);
        case 'either':
          return node.branches.some((branch) => match(branch, at, next));
        case 'ahead':
          return match(node.body, at, () => true) !== node.isNegative && next(at);
        case 'sequence':
          return follow(node.parts, 0, at, next);
        case 'repeat':
          return repeat(node, 0, at, next);
      }
    }

    const follow = (parts: readonly Node[], nth: number, at: number, next: Next): boolean =>
      nth === parts.length
        ? next(at)
        : match(parts[nth]!, at, (after) => follow(parts, nth + 1, after, next));

    function repeat(
      node: Extract<Node, { kind: 'repeat' }>,
      times: number,
      at: number,
      next: Next,
    ): boolean {
      const goesOn =
        times < node.max &&
        match(node.body, at, (after) => after > at && repeat(node, times + 1, after, next));
      return goesOn || (times >= node.min && next(at));
    }

    for (let from = 0; from <= text.length; from += 1) {
      if (match(whole, from, () => true)) return steps;
    }
    return steps;
  };
}

/** A short text that matches a node. */
function sample(node: Node): string {
  switch (node.kind) {
    case 'set':
      return node.samples[0]!;
    case 'sequence':
      return node.parts.map(sample).join('');
    case 'either':
      return sample(node.branches[0]!);
    case 'repeat':
      return sample(node.body).repeat(Math.min(node.min, 40));
    default:
      return '';
  }
}

function setsOf(node: Node): string[] {
  switch (node.kind) {
    case 'set':
      return node.samples;
    case 'sequence':
      return node.parts.flatMap(setsOf);
    case 'either':
      return node.branches.flatMap(setsOf);
    case 'repeat':
    case 'ahead':
      return setsOf(node.body);
    default:
      return [];
  }
}

/** The ends of the parts before each repetition, and what it repeats. */
function repetitions(node: Node, before = ''): { before: string; word: string }[] {
  switch (node.kind) {
    case 'sequence': {
      let prefix = before;
      return node.parts.flatMap((part) => {
        const found = repetitions(part, prefix);
        prefix += sample(part);
        return found;
      });
    }
    case 'either':
      return node.branches.flatMap((branch) => repetitions(branch, before));
    case 'ahead':
      return repetitions(node.body, before);
    case 'repeat':
      return [{ before, word: sample(node.body) }, ...repetitions(node.body, before)];
    default:
      return [];
  }
}

/** Texts of any length that begin as the pattern wants, repeat something, and end as it does not want. */
export function hostileTexts(pattern: string): ((times: number) => string)[] {
  const whole = parsed(pattern);
  const chars = [...new Set(setsOf(whole))].slice(0, 6);
  const found = repetitions(whole);
  const befores = [...new Set(['', ...found.map(({ before }) => before)])];
  const pairs = chars.flatMap((one) => chars.map((other) => one + other));
  const words = [...new Set([...found.map(({ word }) => word), ...chars, ...pairs])].filter(
    (word) => word !== '',
  );
  return befores.flatMap((before) =>
    words.flatMap((word) =>
      ['', '\u0000', ' '].map((end) => (times: number) => before + word.repeat(times) + end),
    ),
  );
}
