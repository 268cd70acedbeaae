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
// Each uses a thread, 19 MB and tens of milliseconds: more would slow down the calls of partners.
const atOnce = 2;
const mostWaiting = 32;
const retryAfterSeconds = 2;

const derive = promisify(argon2);

let running = 0;
const waiting: (() => void)[] = [];

/** Runs a hash when a slot is free. Throws `unavailable` if too many wait. */
async function inSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= mostWaiting) {
      throw new RefusalError({ ...refuse('unavailable'), retryAfterSeconds });
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    await promise;
  } else running += 1;
  try {
    return await work();
  } finally {
    // The next one takes over the slot.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

const tagOf = (password: string, nonce: Buffer, { memory, passes, parallelism }: Cost) =>
  inSlot(() =>
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

/** Hashes a password. The result has the salt and the parameters, so that they can change later. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  return text(nonce, await tagOf(password, nonce, cost));
}

// Of no password: an unknown account costs as much time as a known one.
const nobody = text(Buffer.alloc(16), Buffer.alloc(tagLength));

const form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

/** Whether a password belongs to a hash. Null: there is none, and it takes the same time to say no. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, nonce = '', tag = ''] = form.exec(hash ?? nobody) ?? [];
  const stored = {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  };
  const given = await tagOf(password, Buffer.from(nonce, 'base64url'), stored);
  const isRight = timingSafeEqual(given, Buffer.from(tag, 'base64url'));
  return isRight && hash !== null;
}
