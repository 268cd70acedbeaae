/** PostgreSQL's own log file: `<data folder>/postgres.log`. */
import { closeSync, openSync } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

const maxBytes = 5 * 1024 * 1024;
const tailBytes = 4 * 1024;

/** An open log, and its size when this start began. */
export interface ServerLog {
  path: string;
  fileDescriptor: number;
  startBytes: number;
  /** Closes our descriptor; the spawned server has its own. */
  close(): void;
}

/** Opens the log for appending. A log over 5 MB is first renamed to `postgres.log.1`. */
export async function openServerLog(dataFolder: string): Promise<ServerLog> {
  const path = join(dataFolder, 'postgres.log');
  const bytes = await sizeOf(path);
  if (bytes > maxBytes) await rename(path, `${path}.1`);
  const fileDescriptor = openSync(path, 'a', 0o600);
  return {
    path,
    fileDescriptor,
    startBytes: bytes > maxBytes ? 0 : bytes,
    close: () => closeSync(fileDescriptor),
  };
}

/** Returns the last 4 KB that the server wrote since this start. */
export async function readTail(log: ServerLog): Promise<string> {
  const bytes = await sizeOf(log.path);
  const from = Math.max(log.startBytes, bytes - tailBytes);
  const file = await open(log.path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(tailBytes), 0, bytes - from, from);
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await file.close();
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
