/**
 * How often a property is checked: so often, or `LATCHKEY_TEST_RUNS` times as often, for a long run by a person.
 */
export const runs = (usual: number): number =>
  usual * Number(process.env['LATCHKEY_TEST_RUNS'] ?? 1);
