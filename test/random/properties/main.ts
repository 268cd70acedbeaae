/** `node test/random/properties/main.ts --seeds N [--seed S] [--canary]`: the tests with properties, with N seeds. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { canaryVariable, propertySeedVariable } from '../../harness/property-seed.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    canary: { type: 'boolean', default: false },
  },
});
const [seeds, first] = [Number(values.seeds), Number(values.seed)];

const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter((file) =>
  readFileSync(file, 'utf8').includes(" from 'fast-check'"),
);

for (let seed = first; seed < first + seeds; seed += 1) {
  const env = {
    ...process.env,
    [propertySeedVariable]: String(seed),
    ...(values.canary && { [canaryVariable]: '1' }),
  };
  const played = values.canary ? ['test/random/properties/false-property.test.ts'] : files;
  const { status } = spawnSync(process.execPath, ['test/run.ts', ...played], {
    stdio: 'inherit',
    env,
  });
  if (status === 0) continue;
  console.log(`seed ${seed}: a property does not hold`);
  process.exit(status ?? 2);
}
