/** The packages that `npm ci` installs run on every Node that package.json promises. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { subset } from 'semver';

interface LockedPackage {
  version?: string;
  engines?: { node?: string };
  optional?: boolean;
}

const read = (file: string): string => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, LockedPackage>;
};

// npm leaves an optional package out without a warning where it does not fit.
const demands = Object.entries(packages).filter(
  ([, { optional, engines: own }]) => optional !== true && own?.node !== undefined,
);

test('engines › no installed package asks for more than package.json promises', () => {
  assert.ok(demands.length > 100, 'package-lock.json names the engines of its packages');
  const tooNew = demands.filter(([, { engines: own }]) => !subset(engines.node, own?.node ?? '*'));
  assert.deepEqual(
    tooNew.map(([name, one]) => `${name}@${one.version} asks for ${one.engines?.node}`),
    [],
  );
});

test('engines › README and the guide name the lowest Node', () => {
  const [, lowest = ''] = /(\d+\.\d+)/.exec(engines.node) ?? [];
  for (const file of ['README.md', 'CONTRIBUTING.md', 'docs/operators/running.md']) {
    assert.ok(read(file).includes(`Node ${lowest}`), `${file} names Node ${lowest}`);
  }
});
