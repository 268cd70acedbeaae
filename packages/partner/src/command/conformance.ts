/** `latchkey-partner conformance`: lets a command do the task of each scenario, and has it judged. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { LatchkeyError } from '../client/errors.ts';
import { saysNothing } from '../client/outcome.ts';
import { type CommandContext, textOf, UsageError } from './context.ts';

interface Finding {
  message: string;
  rule: string;
  requestIds: string[];
}

interface Scenario {
  scenario: string;
  level: 'must' | 'should';
  title: string;
  limitSeconds: number;
  state: string;
  result: 'passed' | 'failed' | 'warned' | 'skipped' | null;
  skippedFor?: string;
  findings: Finding[];
  task?: object;
}

interface Run {
  runId: string;
  seed: number;
  state: string;
  scenarios: Scenario[];
}

const profiles: ReadonlySet<string | undefined> = new Set(['checkout', 'card', 'request']);
const runs = '/conformance-runs';

const busyTries = 10;
const busyMs = 1_000;
/** How often a scenario is started again because the service itself was at fault. */
const spoiledTries = 3;

/** Makes a call of the sandbox; again while the service does not answer or has no time. */
async function order<Body>(
  { client }: CommandContext,
  method: 'GET' | 'POST' | 'DELETE',
  path: `/${string}`,
  body?: Readonly<Record<string, unknown>>,
): Promise<Body> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await client.sandbox<Body>(method, path, body);
    } catch (error) {
      if (!saysNothing(error) || tries === busyTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, busyMs));
    }
  }
}

const crashed = { ended: 'crashed' } as const;

/** The outcome in the last line of an output. */
function outcomeIn(output: string): Record<string, unknown> {
  try {
    const said: unknown = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
    return typeof said === 'object' && said !== null && 'ended' in said ? { ...said } : crashed;
  } catch {
    return crashed;
  }
}

/** Ends a command with everything that it has started. */
function end(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Runs a command by the shell. Its outcome is in the last line of its output. */
async function outcomeOf(
  command: string,
  { scenario, task, limitSeconds }: Scenario,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const child = spawn('/bin/sh', ['-c', command], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      LATCHKEY_SCENARIO: scenario,
      LATCHKEY_TASK: JSON.stringify(task),
    },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const stop = (): void => end(child.pid);
  const timer = setTimeout(stop, limitSeconds * 1_000);
  signal.addEventListener('abort', stop);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null)).once('close', resolve);
  });
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  return code === 0 ? outcomeIn(output) : crashed;
}

const isReason = (error: unknown, reason: string): error is LatchkeyError =>
  error instanceof LatchkeyError &&
  (error.error.details as { reason?: string } | undefined)?.reason === reason;

const read = (context: CommandContext, runId: string): Promise<Run> =>
  order<Run>(context, 'GET', `${runs}/${encodeURIComponent(runId)}`);

/** Starts a scenario. One that runs already was started by a call whose reply was lost. */
async function start(context: CommandContext, runId: string, name: string): Promise<Scenario> {
  const path = `${runs}/${runId}/scenarios/${name}/start` as const;
  try {
    return await order<Scenario>(context, 'POST', path);
  } catch (error) {
    if (!isReason(error, 'scenario_running')) throw error;
    const { scenarios } = await read(context, runId);
    const running = scenarios.find(({ scenario, task }) => scenario === name && task);
    if (!running) throw error;
    return running;
  }
}

/** Ends the run. One that has ended was ended by a call whose reply was lost. */
async function finishRun(context: CommandContext, runId: string): Promise<Run> {
  try {
    return await order<Run>(context, 'POST', `${runs}/${runId}/finish`);
  } catch (error) {
    if (!isReason(error, 'run_final')) throw error;
    return read(context, runId);
  }
}

/** Says the outcome. One that the service does not understand is that of a crash; one that is too late was judged. */
async function finish(
  context: CommandContext,
  runId: string,
  { scenario }: Scenario,
  outcome: Record<string, unknown>,
): Promise<Scenario> {
  const path = `${runs}/${runId}/scenarios/${scenario}/finish` as const;
  try {
    return await order<Scenario>(context, 'POST', path, { outcome });
  } catch (error) {
    if (error instanceof LatchkeyError && error.error.code === 'invalid_input') {
      context.say(`  The outcome is not understood: ${error.message}`);
      return order<Scenario>(context, 'POST', path, { outcome: crashed });
    }
    if (!isReason(error, 'scenario_not_running')) throw error;
    const run = await read(context, runId);
    return run.scenarios.find((one) => one.scenario === scenario)!;
  }
}

const marks: Readonly<Record<string, string>> = {
  passed: '✓',
  failed: '✗',
  warned: '!',
  skipped: '-',
};

function tell({ say }: CommandContext, judged: Scenario): void {
  const { scenario, title, result, skippedFor, findings } = judged;
  const why = skippedFor === undefined ? '' : ` (${skippedFor})`;
  say(`${marks[result ?? ''] ?? '?'} ${scenario.padEnd(24)} ${title}${why}`);
  for (const { message, rule, requestIds } of findings) {
    say(`    ${message}`);
    say(`    Rule: ${rule}`);
    if (requestIds.length > 0) say(`    Calls: ${requestIds.join(' ')}`);
  }
}

async function runScenario(
  context: CommandContext,
  runId: string,
  { scenario }: Scenario,
  command: string,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    context.signal.throwIfAborted();
    const started = await start(context, runId, scenario);
    const outcome = await outcomeOf(command, started, context.signal);
    context.signal.throwIfAborted();
    const judged = await finish(context, runId, started, outcome);
    const isSpoiled = judged.state === 'waiting' && tries < spoiledTries;
    if (!isSpoiled) return tell(context, judged);
    context.say(`  The service itself was at fault: ${scenario} starts again.`);
  }
}

/** Begins a run, or takes one that was begun elsewhere. */
async function begin(context: CommandContext): Promise<Run> {
  const runId = textOf(context, 'run');
  if (runId !== undefined) return read(context, runId);
  const profile = textOf(context, 'profile');
  const only = textOf(context, 'only')?.split(',');
  // Also tells a run whose reply was lost from that of somebody else.
  const seed = Math.floor(Math.random() * mostSeeds);
  try {
    return await order<Run>(context, 'POST', runs, { profile, seed, ...(only && { only }) });
  } catch (error) {
    if (error instanceof LatchkeyError && error.error.code === 'invalid_input') {
      throw new UsageError(`--only names a scenario that does not exist: ${error.message}`);
    }
    if (!isReason(error, 'run_open')) throw error;
    const { runId: openId = '' } = error.error.details as { runId?: string };
    const open = await read(context, openId);
    if (open.seed === seed) return open;
    context.say(`The run ${openId} is open: go on with it by --run, or end it in the portal.`);
    throw error;
  }
}

const mostSeeds = 2 ** 31;

/** Runs every scenario that applies, and tells the findings. Returns the exit code: 1 if the run has not passed. */
export async function conformance(context: CommandContext): Promise<number> {
  const command = textOf(context, 'command');
  if (textOf(context, 'run') === undefined && !profiles.has(textOf(context, 'profile'))) {
    throw new UsageError('--profile must be checkout, card or request.');
  }
  if (command === undefined) throw new UsageError('--command is required.');
  const { runId, scenarios } = await begin(context);
  const path = `${runs}/${runId}` as const;
  try {
    for (const scenario of scenarios) {
      if (scenario.state === 'waiting') await runScenario(context, runId, scenario, command);
      else if (scenario.skippedFor !== 'profile') tell(context, scenario);
    }
  } catch (error) {
    // Another run could not begin.
    await order(context, 'DELETE', path).catch(() => undefined);
    throw error;
  }
  const final = await finishRun(context, runId);
  const file = textOf(context, 'report');
  if (file !== undefined)
    await writeFile(file, await order<string>(context, 'GET', `${path}/report`));
  const count = (result: string) => final.scenarios.filter((one) => one.result === result).length;
  context.say(
    `The run ${runId} has ${final.state === 'passed' ? 'passed' : `ended: ${final.state}`}. ${count('passed')} passed, ${count('failed')} failed, ${count('warned')} warned, ${count('skipped')} skipped.`,
  );
  context.show(final);
  return final.state === 'passed' ? 0 : 1;
}
