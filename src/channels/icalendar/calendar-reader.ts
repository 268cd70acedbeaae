import { giveUpAfter } from '../../platform/sleeper.ts';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { problemOf, type Problem } from '../rules/problems.ts';
import type { CalendarToRead, ReadCalendar } from './read-calendar.ts';

/** Reads calendars in a thread of its own, one after the other. */
export interface CalendarReader {
  /** Null: `signal` was aborted before its turn. */
  read(calendar: CalendarToRead, signal?: AbortSignal): Promise<ReadCalendar | Problem | null>;
  /** Ends the thread. What is being read has the problem `too_complex`. */
  close(): Promise<void>;
}

const threadFile = new URL('reader-thread.ts', import.meta.url);

const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

/** What one calendar may use. */
export interface ReaderLimits {
  ms: number;
  memoryMb: number;
}

const usualLimits: ReaderLimits = { ms: 10_000, memoryMb: 256 };

function startThread({ memoryMb }: ReaderLimits): Worker {
  const thread = new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } });
  // A process can end while the thread waits. An error without a listener would end the process.
  thread.on('error', () => undefined).unref();
  return thread;
}

/**
 * Creates a reader. Its thread starts with the first calendar. A calendar that takes too much time or memory ends
 * the thread, and the next one starts another.
 */
export function createCalendarReader(limits: ReaderLimits = usualLimits): CalendarReader {
  let thread: Worker | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function endThread(): Promise<void> {
    const ended = thread;
    thread = null;
    await ended?.terminate();
  }

  async function readNow(calendar: CalendarToRead): Promise<ReadCalendar | Problem> {
    thread ??= startThread(limits);
    const reading = thread;
    const over = new AbortController();
    try {
      reading.postMessage(calendar, []);
      const answer = once(reading, 'message', { signal: over.signal });
      const exit = once(reading, 'exit', { signal: over.signal }).then(() => null);
      const end = () => void endThread();
      const read = await giveUpAfter(
        limits.ms,
        end,
        () => Promise.race([answer, exit]) as Promise<[ReadCalendar] | null>,
      );
      return read?.[0] ?? problemOf('too_complex');
    } catch (error) {
      thread = null;
      if (isOutOfMemory(error)) return problemOf('too_complex');
      throw error;
    } finally {
      over.abort();
    }
  }

  return {
    read(calendar, signal) {
      const read = last.then(() => (signal?.aborted ? null : readNow(calendar)));
      last = read.catch(() => undefined);
      return read;
    },
    close: endThread,
  };
}
