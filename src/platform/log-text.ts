/** The log as lines for people at a terminal. */

type Line = Readonly<Record<string, unknown>>;

/** Members that are shown elsewhere in a line. */
const shown: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'err']);

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** A line of an answered call: operation, status, milliseconds, application, request ID. */
function callText(line: Line): string {
  const { operation, method, status, code, ms, application, requestId } = line;
  return [operation ?? method, status, code, `${textOf(ms)} ms`, application, requestId]
    .filter((part) => part !== null && part !== undefined)
    .map(textOf)
    .join('  ');
}

/** Any other line: its message, its members, and the stack of its error. */
function messageText(line: Line): string {
  const members = Object.entries(line)
    .filter(([name, value]) => !shown.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${textOf(value)}`);
  const { stack, message } = (line['err'] ?? {}) as { stack?: string; message?: string };
  const head = [textOf(line['msg'] ?? ''), ...members].join('  ');
  const error = stack ?? message;
  return error === undefined ? head : `${head}\n${error}`;
}

/** A line of the log as people read it, without its time and level. */
export const lineText = (line: Line): string =>
  line['msg'] === 'answered' ? callText(line) : messageText(line);

/** Whether the log is text: as it is asked for, or at a terminal. */
export const isText = (
  format: 'json' | 'text' | null,
  isTerminal = process.stdout.isTTY === true,
): boolean => (format ?? (isTerminal ? 'text' : 'json')) === 'text';

const colours: Readonly<Record<string, number>> = { warn: 33, error: 31, fatal: 35 };
const reset = '\u001b[0m';

function coloured(level: string, text: string): string {
  const colour = colours[level];
  return colour === undefined ? text : `\u001b[${colour}m${text}${reset}`;
}

/** A line of the log as text, with its time at the host and its level. */
function withHead(line: Line, hasColours: boolean): string {
  const level = textOf(line['level']);
  const time = new Date(textOf(line['time'])).toTimeString().slice(0, 8);
  const text = `${time} ${level.toUpperCase().padEnd(5)} ${lineText(line)}\n`;
  return hasColours ? coloured(level, text) : text;
}

/** Writes the log to stdout as text; with colours at a terminal, unless `NO_COLOR` is set. */
export function textStream(): { write(line: string): void } {
  const hasColours = process.stdout.isTTY === true && !process.env['NO_COLOR'];
  return {
    write: (line) => void process.stdout.write(withHead(JSON.parse(line) as Line, hasColours)),
  };
}
