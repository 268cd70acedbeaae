/**
 * Loaded before `node:test`, which follows every promise to the test that created it. It needs that while
 * files are loaded, to find the suite of a test. Later it only tells in which test an error occurred that
 * nobody caught, and costs a sixth of the CPU. Without it such an error still ends the process, and the run
 * fails.
 */
import asyncHooks, { type AsyncHook } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

const { createHook } = asyncHooks;
let ofRunner: AsyncHook | undefined;

// The first caller is `node:test`.
asyncHooks.createHook = (callbacks) => {
  asyncHooks.createHook = createHook;
  syncBuiltinESMExports();
  ofRunner = createHook(callbacks);
  return ofRunner;
};
syncBuiltinESMExports();

/** Stops following promises; all test files of the process must be loaded. */
export const stopFollowing = (): void => void ofRunner?.disable();
