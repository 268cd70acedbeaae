import type { LoggerOptions } from 'pino';

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
