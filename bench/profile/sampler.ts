/** Imported into a service: the first SIGUSR2 begins a CPU profile, the second writes it to a file. */
import { renameSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

const file = process.env['CPU_PROFILE_FILE'];
const session = new Session();
session.connect();
let isProfiling = false;

async function begin(): Promise<void> {
  isProfiling = true;
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
}

async function end(written: string): Promise<void> {
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(`${written}.new`, JSON.stringify(profile));
  renameSync(`${written}.new`, written);
}

process.on('SIGUSR2', () => {
  if (file === undefined) return;
  void (isProfiling ? end(file) : begin());
});
