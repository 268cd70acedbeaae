/** Suggests what somebody meant who wrote a name that is not known. */

/** How many letters must be changed, added or left out to make one name of another. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const changed = row[to - 1]! + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(changed, row[to]! + 1, next[to - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}

const longestName = 60;
const lettersPerFault = 3;

/**
 * The known name that is nearest to another one; undefined: none is near. `synonyms`: known names by what people write
 * in their place.
 */
function nearestName(
  name: string,
  known: readonly string[],
  synonyms: Readonly<Record<string, string>> = {},
): string | undefined {
  if (name.length > longestName) return undefined;
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const synonym = Object.hasOwn(synonyms, plain(name)) ? synonyms[plain(name)] : undefined;
  if (synonym !== undefined && known.includes(synonym)) return synonym;
  const most = Math.max(1, Math.floor(plain(name).length / lettersPerFault));
  const [best] = known
    .map((other) => ({ other, faults: distance(plain(name), plain(other)) }))
    .filter(({ faults }) => faults <= most)
    .toSorted((a, b) => a.faults - b.faults);
  return best?.other;
}

/** The end of a message that suggests a known name; empty: none is near. */
export function meaning(
  name: string,
  known: readonly string[],
  synonyms?: Readonly<Record<string, string>>,
): string {
  const nearest = nearestName(name, known, synonyms);
  return nearest === undefined ? '' : `; do you mean \`${nearest}\`?`;
}
