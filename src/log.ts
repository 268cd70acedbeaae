import type { LoggerOptions } from 'pino';

interface LoggedError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: LoggedError;
}

// Only what is named here: PostgreSQL's errors carry rows in `detail`, others carry requests.
function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.constructor.name,
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause instanceof Error && { cause: loggedError(error.cause) }),
  };
}

/** Structured logs on stdout: no secret and no guest detail is ever passed to them. */
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
