/** `npm run faults -- --seconds N --seed S`: faults under load for as long as asked, checked after each episode. */
import { parseArgs } from 'node:util';
import { Figures } from './figures.ts';
import { kinds } from './kinds.ts';
import { chanceOf } from './random.ts';
import { openStage, settle } from './stage.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);

/** Plays until the time is over or something is wrong; what is wrong. */
async function play(figures: Figures): Promise<string[]> {
  const stage = await openStage({ env: { LATCHKEY_LOG_LEVEL: 'error' } });
  const end = performance.now() + seconds * 1_000;
  try {
    for (let episode = 0; performance.now() < end; episode += 1) {
      const [kind, faulty] = Object.entries(kinds)[episode % Object.keys(kinds).length]!;
      const workload = await stage.workload(seed + episode * 1_000);
      const faults = await faulty(stage, chanceOf(seed + episode));
      const wrong = await settle(stage.database, workload);
      figures.add(kind, faults, workload);
      const { size } = new Set(workload.history.calls.map(({ resourceId }) => resourceId));
      console.log(`${kind}: ${faults} faults, ${size} resources, ${wrong.length} broken promises`);
      if (wrong.length > 0) return wrong;
    }
    return [];
  } finally {
    await stage.close();
  }
}

if (!(seconds > 0) || !Number.isInteger(seed)) {
  console.error('npm run faults -- --seconds N --seed S, both numbers');
  process.exit(2);
}
console.log(`${seconds} seconds of faults, seed ${seed}`);
const figures = new Figures();
const wrong = await play(figures);
console.log(figures.text());
console.log(wrong.length === 0 ? 'nothing is wrong' : `WRONG\n${wrong.join('\n')}`);
process.exit(wrong.length === 0 ? 0 : 1);
