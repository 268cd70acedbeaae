/** The bursts in which processes use the cores, and others that use them as much without doing anything. Linux only. */
import { fork } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { once } from 'node:events';
import path from 'node:path';
import type { Bursts } from './burst-process.ts';

/** What a thread has used since it began. */
interface Use {
  cpuMs: number;
  /** How often it has waited for something. */
  waits: number;
}

const textOf = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

async function useOf(task: string): Promise<Use> {
  const [time, status] = await Promise.all(
    ['schedstat', 'status'].map((file) => textOf(`${task}/${file}`)),
  );
  return {
    cpuMs: Number(time!.split(' ')[0]) / 1e6,
    waits: Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status!)?.[1] ?? 0),
  };
}

async function withChildren(pid: number): Promise<number[]> {
  const children = (await textOf(`/proc/${pid}/task/${pid}/children`)).trim().split(' ');
  const below = await Promise.all(
    children
      .map(Number)
      .filter((one) => one > 0)
      .map(withChildren),
  );
  return [pid, ...below.flat()];
}

/** What each thread of processes and of their children has used. */
async function usesOf(pids: readonly number[]): Promise<Map<string, Use>> {
  const all = new Set((await Promise.all(pids.map(withChildren))).flat());
  const tasks = await Promise.all(
    Array.from(all, async (pid) => {
      const folder = `/proc/${pid}/task`;
      return (await readdir(folder).catch(() => [])).map((id) => `${folder}/${id}`);
    }),
  );
  const uses = tasks.flat().map(async (task) => [task, await useOf(task)] as const);
  return new Map(await Promise.all(uses));
}

// A thread that uses less of a core is not worth a process.
const leastShare = 0.002;

/** The bursts of each thread of processes and of their children during work. */
export async function burstsOf(
  pids: readonly number[],
  work: () => Promise<void>,
): Promise<Bursts[]> {
  const before = await usesOf(pids);
  const begin = performance.now();
  await work();
  const ms = performance.now() - begin;
  const after = await usesOf(pids);
  return [...after].flatMap(([task, use]) => {
    const { cpuMs, waits } = before.get(task) ?? { cpuMs: 0, waits: 0 };
    const usedMs = use.cpuMs - cpuMs;
    const bursts = Math.max(1, use.waits - waits);
    return usedMs / ms < leastShare
      ? []
      : [{ burstMs: usedMs / bursts, perSecond: (bursts * 1_000) / ms }];
  });
}

/** Starts a process for each thread, which uses as much of a core as it did. */
export async function startBursts(all: readonly Bursts[]): Promise<{ stop(): Promise<void> }> {
  const children = all.map(() => fork(path.join(import.meta.dirname, 'burst-process.ts')));
  const working = children.map((child) => once(child, 'message'));
  for (const [at, bursts] of all.entries()) children[at]!.send(bursts);
  await Promise.all(working);
  return {
    async stop() {
      const ends = children.map((child) => once(child, 'exit'));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(ends);
    },
  };
}
