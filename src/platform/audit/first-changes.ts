const describedAtMost = 50;
const charactersAtMost = 20_000;

/** The first of many changes, as far as one audit entry describes them: 50, with 20,000 characters of JSON. */
export function firstChanges<Change>(changes: readonly Change[]): Change[] {
  const first = changes.slice(0, describedAtMost);
  let left = charactersAtMost;
  const end = first.findIndex((change) => (left -= JSON.stringify(change).length) < 0);
  return end === -1 ? first : first.slice(0, end);
}
