/**
 * `node:test`, without the async hook by which it follows each promise to the test that created it: the hook
 * takes a tenth of the CPU of a test that calls a service, and doubles its garbage. What runs inside a test is
 * known here by an `AsyncLocalStorage`, which costs nothing. So `after()` inside a test still belongs to that
 * test, and so does an error that nobody catches.
 *
 * The entry of a test process must load this module before any other loads `node:test`.
 */
import asyncHooks, {
  AsyncLocalStorage,
  AsyncResource,
  createHook,
  executionAsyncId,
  type AsyncResourceOptions,
  type HookCallbacks,
} from 'node:async_hooks';

const runningTest = new AsyncLocalStorage<number>();
let created: HookCallbacks['init'];

/** The base class of the tests of `node:test`. */
class TestScope extends AsyncResource {
  constructor(type: string, options?: AsyncResourceOptions) {
    super(type, options);
    created?.(this.asyncId(), type, this.triggerAsyncId(), this);
  }

  override runInAsyncScope<This, Result>(
    work: (this: This, ...args: unknown[]) => Result,
    owner?: This,
    ...args: unknown[]
  ): Result {
    const run = (): Result => work.apply(owner as This, args);
    return super.runInAsyncScope(() => runningTest.run(this.asyncId(), run));
  }
}

const replacements = {
  AsyncResource: TestScope,
  executionAsyncId: () => runningTest.getStore() ?? executionAsyncId(),
  createHook({ init }: HookCallbacks) {
    created = init;
    return { enable: () => undefined, disable: () => undefined };
  },
};

Object.assign(asyncHooks, replacements);
const nodeTest = process.getBuiltinModule('node:test');
// Only `node:test` keeps the replacements.
Object.assign(asyncHooks, { AsyncResource, createHook, executionAsyncId });

/** Those of `node:test`. */
export const { after, suite } = nodeTest;
