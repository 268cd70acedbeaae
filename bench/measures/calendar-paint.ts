/** The first meaningful paint of the console's calendar of many homes, warm, against the same page with few. */
import { openBrowser } from '../../test/harness/browser.ts';
import { buildConsoleIfStale } from '../../test/harness/built-console.ts';
import { openConsoleSystem } from '../console/console-system.ts';
import { openTimedWindow } from '../console/timed-window.ts';
import type { Measure } from '../measure.ts';

const staysPerHome = 20;
const homes = { few: 10, many: 10_000 };
const warmUps = 3;
const opensPerRound = 5;

const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1]!;

export const measureCalendarPaint: Measure['run'] = async (rounds, onRound) => {
  buildConsoleIfStale();
  const browser = await openBrowser();
  const few = await openConsoleSystem(homes.few, homes.few * staysPerHome);
  const many = await openConsoleSystem(homes.many, homes.many * staysPerHome);
  try {
    const windows = {
      few: await openTimedWindow(browser, few),
      many: await openTimedWindow(browser, many),
    };
    const measured = async (times: number) => {
      const floors: number[] = [];
      const figures: number[] = [];
      for (let time = 0; time < times; time += 1) {
        floors.push(await windows.few.open('/calendar'));
        figures.push(await windows.many.open('/calendar'));
      }
      return { floor: median(floors), figure: median(figures) };
    };
    await measured(warmUps);
    for (let round = 0; round < rounds; round += 1) onRound(await measured(opensPerRound));
  } finally {
    await browser.close();
    await few.system.close();
    await many.system.close();
  }
};
