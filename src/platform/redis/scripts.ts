import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs scripts on Redis or Valkey. */
export interface Redis {
  /** Throws if there is no result within the time, or no connection. */
  run(script: Script, key: string, args: readonly string[]): Promise<unknown>;
  close(): void;
}

/** A Lua script with one key. */
export interface Script {
  text: string;
  digest: string;
}

export const scriptOf = (text: string): Script => ({
  text,
  digest: createHash('sha1').update(text).digest('hex'),
});

const reconnectEveryMs = 250;
const connectWithinMs = 2_000;

const isUnknownScript = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('NOSCRIPT');

/** Connects in the background, again and again. Until it is connected, `run` throws at once. */
export async function openRedis(
  url: string,
  waitMs: number,
  onError: (error: Error) => void,
): Promise<Redis> {
  // Most processes need no Redis, and loading its 500 modules takes a fifth of their start.
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: () => reconnectEveryMs, connectTimeout: connectWithinMs },
  });
  client.on('error', onError);
  client.connect().catch(onError);

  async function evaluate(
    { text, digest }: Script,
    key: string,
    args: readonly string[],
  ): Promise<unknown> {
    try {
      return await client.sendCommand(['EVALSHA', digest, '1', key, ...args]);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return client.sendCommand(['EVAL', text, '1', key, ...args]);
    }
  }

  return {
    async run(script, key, args) {
      const ending = new AbortController();
      const late = sleep(waitMs, 'late' as const, { signal: ending.signal, ref: false });
      late.catch(() => undefined);
      const result = evaluate(script, key, args);
      // A failure after the time is over must not become an unhandled rejection.
      result.catch(() => undefined);
      try {
        const first = await Promise.race([result, late]);
        if (first === 'late') throw new Error(`Redis did not respond within ${waitMs} ms`);
        return first;
      } finally {
        ending.abort();
      }
    },
    close: () => client.destroy(),
  };
}
