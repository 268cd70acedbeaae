/** The seed of all properties that name none, for `npm run random -- properties`. */
import * as fc from 'fast-check';

/** The environment variable with the seed. */
export const propertySeedVariable = 'LATCHKEY_TEST_PROPERTY_SEED';

/** Set: the property that is false is tested, too. */
export const canaryVariable = 'LATCHKEY_TEST_CANARY';

/** Uses the seed of the environment, if it names one. */
export function usePropertySeed(): void {
  const seed = process.env[propertySeedVariable];
  if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
}
