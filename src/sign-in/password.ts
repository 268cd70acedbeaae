/** Passwords, hashed with argon2id. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { refuse, RefusalError } from '../contract/errors.ts';

interface Cost {
  /** In KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

const cost: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;
const mostWaiting = 32;
const retryAfterSeconds = 2;

const derive = promisify(argon2);

/** Runs one hash at a time. Throws `unavailable` if too many wait. */
function createSlot() {
  let isTaken = false;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (isTaken) {
      if (waiting.length >= mostWaiting) {
        throw new RefusalError({ ...refuse('unavailable'), retryAfterSeconds });
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      await promise;
    }
    isTaken = true;
    try {
      return await work();
    } finally {
      // The next one takes over the slot.
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    }
  };
}

/**
 * Who asks for a hash: somebody with a session, an invitation, or from a network from which the account signs in; or
 * anybody else. Each uses a thread, 19 MB and tens of milliseconds: more at once would slow down the calls of
 * partners. A slot of their own each, so that no storm of strangers keeps staff out.
 */
export type Asker = 'known' | 'stranger';

const slots = { known: createSlot(), stranger: createSlot() } as const;

const tagOf = (
  asker: Asker,
  password: string,
  nonce: Buffer,
  { memory, passes, parallelism }: Cost,
) =>
  slots[asker](() =>
    derive('argon2id', {
      message: Buffer.from(password.normalize('NFKC')),
      nonce,
      memory,
      passes,
      parallelism,
      tagLength,
    }),
  );

const text = (nonce: Buffer, tag: Buffer): string =>
  [
    '$argon2id$v=19',
    `m=${cost.memory},t=${cost.passes},p=${cost.parallelism}`,
    nonce.toString('base64url'),
    tag.toString('base64url'),
  ].join('$');

/** Hashes the password of somebody with a session or an invitation. The result has the salt and the parameters, so that they can change later. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  return text(nonce, await tagOf('known', password, nonce, cost));
}

// Of no password: an unknown account costs as much time as a known one.
const nobody = text(Buffer.alloc(16), Buffer.alloc(tagLength));

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

/** Whether a password belongs to a hash. Null: there is none, and it takes the same time to say no. */
export async function isPassword(
  password: string,
  hash: string | null,
  asker: Asker,
): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = form.exec(hash ?? nobody) ?? [];
  const stored = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  const given = await tagOf(asker, password, Buffer.from(nonce, 'base64url'), stored);
  const isRight = timingSafeEqual(given, Buffer.from(tag, 'base64url'));
  return isRight && hash !== null;
}
