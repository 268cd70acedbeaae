import type { Log } from '../platform/log.ts';
import { type LossyRecorder, startLossyRecorder } from '../platform/lossy-recorder.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { insertRequests, type LoggedRequest } from './store/requests.ts';

/** Writes calls into the request log in groups. Requests do not wait for it. */
export type RequestRecorder = LossyRecorder<LoggedRequest>;

/** The dependencies of the recorder. Tests set the numbers. */
export interface RecorderContext {
  executor: Executor;
  log: Pick<Log, 'warn'>;
  everyMs?: number;
}

const defaultEveryMs = 250;

/** Starts the recorder of this process. */
export const startRequestRecorder = ({
  executor,
  log,
  everyMs = defaultEveryMs,
}: RecorderContext): RequestRecorder =>
  startLossyRecorder({
    write: (requests) => insertRequests(executor, requests),
    onDropped: (details) => log.warn(details, 'calls are missing from the request log'),
    everyMs,
  });
