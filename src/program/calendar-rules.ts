import type { PollerContext } from '../channels/index.ts';
import { type Config, isLoopbackAllowed } from '../config/config.ts';

/** How calendars of other channels are read. */
export const calendarRules = (config: Config): Pick<PollerContext, 'rules' | 'everySeconds'> => ({
  rules: { loopbackAllowed: isLoopbackAllowed(config) },
  everySeconds: config.calendarMinutes * 60,
});
