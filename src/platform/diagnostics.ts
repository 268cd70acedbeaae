/** Events of this process that can be measured. If nothing measures them, each costs one comparison. */
import { channel } from 'node:diagnostics_channel';

/** A kind of message that parts of the process publish and metrics count. */
export interface Diagnostic<Message extends object> {
  /** Publishes what `message` returns; it is called only if somebody listens. */
  publish(message: () => Message): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (message: Message) => void): () => void;
}

function diagnostic<Message extends object>(name: string): Diagnostic<Message> {
  const named = channel(name);
  return {
    publish(message) {
      if (named.hasSubscribers) named.publish(message());
    },
    subscribe(listener) {
      const heard = (message: unknown): void => listener(message as Message);
      named.subscribe(heard);
      return () => void named.unsubscribe(heard);
    },
  };
}

/** One run of a background task. */
export interface TaskRun {
  task: string;
  ms: number;
  failed: boolean;
  /** The rows that a batch processed; absent: the task does not count. */
  rows?: number;
}

export const taskRuns = diagnostic<TaskRun>('latchkey.task');

/** One response of the API. */
export interface ServedRequest {
  /** Null: no operation of an API. */
  operation: string | null;
  status: number;
  /** The code of an error response. */
  code: string | null;
  ms: number;
}

export const servedRequests = diagnostic<ServedRequest>('latchkey.request');

/** One reading of the taken nights. */
export interface NightReading {
  /** The changes that others have logged since the reading before. */
  changes: number;
  /** Whether everything is loaded again. */
  isLoad: boolean;
}

export const nightReadings = diagnostic<NightReading>('latchkey.nights');

/** One calendar of another channel that a booking needed to be read. */
export interface CalendarBeforeConfirm {
  /** `late`: the booking did not wait any longer. */
  outcome: 'whole' | 'failed' | 'late';
}

export const calendarsBeforeConfirm = diagnostic<CalendarBeforeConfirm>('latchkey.calendars');
