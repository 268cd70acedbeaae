import { createHash } from 'node:crypto';
import { late, withinTime } from '../sleeper.ts';

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
      const result = await withinTime(waitMs, evaluate(script, key, args), () => undefined);
      if (result === late) throw new Error(`Redis did not respond within ${waitMs} ms`);
      return result;
    },
    close: () => client.destroy(),
  };
}
