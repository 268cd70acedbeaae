/** `latchkey-partner logs` and `faults`: what the sandbox on order shows and plays. */
import { readFile } from 'node:fs/promises';
import { type CommandContext, numberOf, textOf, UsageError } from './context.ts';

interface LoggedCall {
  requestId: string;
  at: string;
  method: string;
  path: string;
  operation: string | null;
  status: number | null;
  code: string | null;
  reason: string | null;
  durationMs: number;
  fault: string | null;
}

interface LoggedCallInFull extends LoggedCall {
  message: string | null;
  invalidFields: { path: string; message: string }[];
  about: string | null;
}

const line = ({
  at,
  status,
  durationMs,
  operation,
  path,
  code,
  reason,
  fault,
  requestId,
}: LoggedCall) =>
  [
    at,
    status ?? 'connection ended',
    `${durationMs} ms`,
    operation ?? path,
    [code, reason].filter(Boolean).join(' '),
    fault ? `[${fault}]` : '',
    requestId,
  ]
    .filter((part) => part !== '')
    .join('  ');

async function showOne({ client, say, show, signal }: CommandContext, id: string): Promise<number> {
  const path = `/requests/${encodeURIComponent(id)}` as const;
  const call = await client.sandbox<LoggedCallInFull>('GET', path, undefined, { signal });
  say(line(call));
  if (call.message !== null) say(call.message);
  for (const { path: member, message } of call.invalidFields) say(`  ${member}: ${message}`);
  if (call.about !== null) say(`About ${call.about}`);
  show(call);
  return 0;
}

/** Prints the last calls of the application, newest first, or one by its request ID. */
export async function logs(context: CommandContext): Promise<number> {
  const request = textOf(context, 'request');
  if (request !== undefined) return showOne(context, request);
  const { client, say, show, signal } = context;
  const limit = numberOf(context, 'limit') ?? 20;
  const wanted = { operation: textOf(context, 'operation'), status: textOf(context, 'status') };
  let cursor: string | null = '';
  let left = limit;
  while (left > 0 && cursor !== null) {
    const given = { ...wanted, limit: String(Math.min(left, 50)), cursor: cursor || undefined };
    const query = Object.entries(given).filter(([, value]) => value !== undefined) as string[][];
    const page: { items: LoggedCall[]; nextCursor: string | null } = await client.sandbox(
      'GET',
      `/requests?${new URLSearchParams(query).toString()}`,
      undefined,
      { signal },
    );
    for (const call of page.items) {
      say(line(call));
      show(call);
    }
    left -= page.items.length;
    cursor = page.nextCursor;
  }
  return 0;
}

interface Faults {
  seed: number | null;
  rules: {
    match: { operation: string };
    do: object;
    calls: number;
    hits: { requestId: string; at: string }[];
  }[];
}

async function rulesOf(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read.`);
  });
  try {
    const given: unknown = JSON.parse(text);
    if (Array.isArray(given)) return { rules: given };
    if (typeof given === 'object' && given !== null) return given as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new UsageError(`${file} is no JSON object with rules.`);
}

/** Shows, sets or removes the faults that the application has ordered. */
export async function faults(context: CommandContext): Promise<number> {
  const { client, flags, say, show, signal } = context;
  const file = textOf(context, 'set');
  if (file !== undefined && flags['clear'] === true) {
    throw new UsageError('Give --set or --clear, not both.');
  }
  if (flags['clear'] === true) await client.sandbox('DELETE', '/faults', undefined, { signal });
  const found =
    file === undefined
      ? await client.sandbox<Faults>('GET', '/faults', undefined, { signal })
      : await client.sandbox<Faults>('PUT', '/faults', await rulesOf(file), { signal });
  if (found.rules.length === 0) say('No faults are ordered.');
  found.rules.forEach(({ match, do: action, calls, hits }, index) => {
    say(`rule ${index + 1}  ${JSON.stringify(match)}  ${JSON.stringify(action)}`);
    say(`  ${calls} calls of ${match.operation}, ${hits.length} hits`);
    for (const { requestId, at } of hits) say(`  ${at}  ${requestId}`);
  });
  show(found);
  return 0;
}
