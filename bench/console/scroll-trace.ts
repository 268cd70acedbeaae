/** Scrolls the calendar of the console while the browser records a trace, and reads the frames from it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';

/** What a trace says about scrolling. */
export interface Scrolled {
  seconds: number;
  /** How many rows were passed. */
  rows: number;
  frames: number;
  /** The longest time from one frame on the screen to the next while the grid scrolls. */
  longestFrameMs: number;
  /** The longest piece of work of the page's main thread. */
  longestTaskMs: number;
  /** The same in CPU time, which other programs on the machine do not change. */
  longestTaskCpuMs: number;
}

/** An event of a trace; times are in microseconds. */
interface TraceEvent {
  name: string;
  cat: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** CPU time of the thread. */
  tdur?: number;
  args: { name?: string; frame?: string };
}

const categories = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'toplevel',
];

// Wheel steps of a person who scrolls fast: a screen in three steps, then some days to the side.
const wheels = [
  ...Array.from({ length: 150 }, () => [0, 300] as const),
  ...Array.from({ length: 60 }, () => [160, 0] as const),
  ...Array.from({ length: 60 }, () => [0, 1_500] as const),
  ...Array.from({ length: 60 }, () => [-160, -600] as const),
];
const wheelMs = 25;

const scrollTop = `document.querySelector('.mc').scrollTop`;
const rowPixels = 52;

async function scroll(page: Page): Promise<number> {
  const box = await page.getByRole('grid').boundingBox();
  await page.mouse.move(box!.x + box!.width / 2, box!.y + box!.height / 2);
  let pixels = 0;
  let before = 0;
  for (const [x, y] of wheels) {
    await page.mouse.wheel(x, y);
    await sleep(wheelMs);
    const now = await page.evaluate<number>(scrollTop);
    pixels += Math.abs(now - before);
    before = now;
  }
  return pixels / rowPixels;
}

const gaps = (times: readonly number[]): number[] =>
  times.slice(1).map((time, at) => time - times[at]!);

const longest = (values: readonly number[]): number => Math.max(0, ...values) / 1_000;

/** Reads the frames and tasks of the page with the calendar from the events of a trace. */
function framesOf(events: readonly TraceEvent[], beganUs: number, endedUs: number) {
  const during = events.filter(({ ts }) => ts >= beganUs && ts <= endedUs);
  const drawn = during.filter(({ name }) => name === 'DrawFrame').map(({ ts }) => ts);
  const main = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = during.filter(
    ({ name, pid, tid }) => name === 'RunTask' && main.has(`${pid} ${tid}`),
  );
  return {
    frames: drawn.length,
    longestFrameMs: longest(gaps(drawn.toSorted((one, other) => one - other))),
    longestTaskMs: longest(tasks.map(({ dur = 0 }) => dur)),
    longestTaskCpuMs: longest(tasks.map(({ tdur = 0 }) => tdur)),
  };
}

/** Scrolls the calendar that a page shows. Returns what the trace says, and the trace as a file for DevTools. */
export async function scrollCalendar(
  browser: Browser,
  page: Page,
): Promise<Scrolled & { trace: Buffer }> {
  await browser.startTracing(page, { categories });
  const mark = (name: string) => page.evaluate(`console.timeStamp('${name}')`);
  await mark('scroll begins');
  const rows = Math.round(await scroll(page));
  await mark('scroll ends');
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const [begin, end] = traceEvents.filter(({ name }) => name === 'TimeStamp').map(({ ts }) => ts);
  if (begin === undefined || end === undefined) throw new Error('the trace has no time stamps');
  const found = framesOf(traceEvents, begin, end);
  if (found.frames === 0) throw new Error('the trace has no frame');
  return { seconds: (end - begin) / 1e6, rows, ...found, trace };
}
