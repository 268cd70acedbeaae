/** What a load costs: processor time and memory. Linux only. */
import { readdir, readFile } from 'node:fs/promises';

/** Of a process and its children. */
export interface Cost {
  cpuSeconds: number;
  residentMiB: number;
}

const ticksPerSecond = 100;
const pageMiB = 4 / 1024;

interface Stat {
  pid: number;
  parent: number;
  cpuSeconds: number;
  residentMiB: number;
}

/** Null: it has ended. */
async function statOf(pid: number): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program is in brackets, and may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 22) return null;
  const [parent, user, system, userOfEnded, systemOfEnded, pages] = [1, 11, 12, 13, 14, 21].map(
    (column) => Number(fields[column]),
  ) as [number, number, number, number, number, number];
  const ticks = user + system + userOfEnded + systemOfEnded;
  return { pid, parent, cpuSeconds: ticks / ticksPerSecond, residentMiB: pages * pageMiB };
}

/** The cost of a process and its children since they began, including children that have ended. */
export async function costOf(pid: number): Promise<Cost> {
  const pids = (await readdir('/proc')).map(Number).filter((one) => one > 0);
  const stats = (await Promise.all(pids.map(statOf))).filter((stat) => stat !== null);
  const own = stats.filter((stat) => stat.pid === pid || stat.parent === pid);
  return {
    cpuSeconds: own.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    residentMiB: own.find((stat) => stat.pid === pid)?.residentMiB ?? 0,
  };
}

/** A line of the report: processor time by call, since `before`. */
export function costLine(name: string, before: Cost, now: Cost, calls: number): string {
  const cpuMs = ((now.cpuSeconds - before.cpuSeconds) * 1_000) / Math.max(calls, 1);
  return `${name}: ${cpuMs.toFixed(2)} ms of CPU time per call, ${now.residentMiB.toFixed(0)} MiB`;
}
