import type { LoggerOptions } from 'pino';
import type { LogLevel, LogRows } from './log-messages.ts';

/** The text of a line at a level. */
type LineAt<Level extends LogLevel> = {
  [Line in keyof LogRows]: Level extends LogRows[Line]['levels'][number] ? Line : never;
}[keyof LogRows];

type Sometimes<Row> = Row extends { sometimes: readonly (infer Member extends string)[] }
  ? Member
  : never;

/** The members of a line. Those of a call can have its ID. */
type LogMembers<Line extends keyof LogRows> = {
  readonly [Member in LogRows[Line]['members'][number]]: unknown;
} & { readonly [Member in 'requestId' | Sometimes<LogRows[Line]>]?: unknown };

type LogAt<Level extends LogLevel> = <Line extends LineAt<Level>>(
  members: LogMembers<Line>,
  line: Line,
) => void;

/** The log of a process. It takes the lines of `log-messages.ts`, each at its levels and with its members. */
export type ProcessLog = { readonly [Level in LogLevel]: LogAt<Level> };

/** The log of what does not end the process. */
export type Log = Omit<ProcessLog, 'fatal'>;

/** The log of what a start does. */
export type StartLog = <Line extends LineAt<'info'>>(line: Line, members: LogMembers<Line>) => void;

interface LoggedError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: LoggedError;
}

// SQLSTATE class 22, data exception: the message contains the value.
const showsValue = (code: unknown): boolean => typeof code === 'string' && /^22...$/.test(code);

const withheld = 'PostgreSQL rejected a value';

function textsOf(error: Error, code: unknown): { message: string; stack?: string } {
  const { message, stack } = error;
  if (!showsValue(code)) return { message, ...(stack !== undefined && { stack }) };
  return { message: withheld, ...(stack !== undefined && { stack: stack.replace(message, '') }) };
}

// An allowlist of members: PostgreSQL's errors contain rows in `detail`, other errors contain requests.
function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.constructor.name,
    ...textsOf(error, code),
    ...(typeof code === 'string' && { code }),
    ...(error.cause instanceof Error && { cause: loggedError(error.cause) }),
  };
}

/** Options of the structured log on stdout. Never log a secret or a guest's details. */
export const logOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (label) => ({ level: label }) },
  serializers: {
    err: loggedError,
    req: (request: { id: string }) => ({ requestId: request.id }),
    res: () => undefined,
  },
});
