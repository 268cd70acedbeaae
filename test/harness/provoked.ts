/** Which errors of the contract the tests provoked over HTTP, across all their processes. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { commonErrors, type ErrorCode } from '../../src/contract/errors.ts';
import { operationIds, rowOf } from '../../src/contract/partner/operations.ts';

/** Names the folder in which each process of a whole run keeps its record; absent: nothing is kept. */
export const provokedFolderVariable = 'LATCHKEY_TEST_PROVOKED';

const seen = new Set<string>();

/** Records that an operation returned this error. */
export function recordError(operationId: string, body: unknown): void {
  const folder = process.env[provokedFolderVariable];
  const code = (body as { error?: { code?: string } } | undefined)?.error?.code;
  if (folder === undefined || code === undefined) return;
  const pair = `${operationId} ${code}`;
  if (seen.has(pair)) return;
  seen.add(pair);
  appendFileSync(path.join(folder, String(process.pid)), `${pair}\n`);
}

/** No request can cause these: a bug, and an outcome that is 503 for now. */
const notProvokable: ReadonlySet<ErrorCode> = new Set(['internal', 'unresolved']);

/** The operation × error pairs of the contract that no process recorded in the folder. */
export function missingErrors(folder: string): string[] {
  const recorded = new Set(
    readdirSync(folder).flatMap((file) =>
      readFileSync(path.join(folder, file), 'utf8').split('\n'),
    ),
  );
  return operationIds
    .flatMap((id) =>
      [...commonErrors, ...rowOf(id).errors]
        .filter((code) => !notProvokable.has(code))
        .map((code) => `${id} ${code}`),
    )
    .filter((pair) => !recorded.has(pair));
}
