import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { suite, test } from 'node:test';
import {
  type Advisory,
  findVulnerabilities,
  lockedPackages,
  readAdvisories,
} from './vulnerabilities.ts';

const root = path.resolve(import.meta.dirname, '../..');

const lockfile = {
  packages: {
    '': { name: 'project', version: '1.0.0' },
    'node_modules/left': { version: '1.2.3' },
    'node_modules/right/node_modules/left': { version: '2.0.0', dev: true },
    'node_modules/@scope/both': { version: '3.0.0', dev: true },
    'node_modules/other/node_modules/@scope/both': { version: '3.0.0' },
    'node_modules/linked': { version: '1.0.0', link: true },
  },
};

const advisory = (name: string, ...events: Record<string, string>[]): Advisory => ({
  id: 'GHSA-test',
  affected: [{ package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events }] }],
});

suite('vulnerabilities', () => {
  test('lockedPackages reads each version once, and whether the service runs it', () => {
    assert.deepEqual(lockedPackages(lockfile), [
      { name: 'project', version: '1.0.0', isDev: false },
      { name: 'left', version: '1.2.3', isDev: false },
      { name: 'left', version: '2.0.0', isDev: true },
      { name: '@scope/both', version: '3.0.0', isDev: false },
    ]);
  });

  for (const [name, events, found] of [
    ['from the beginning, before the fix', [{ introduced: '0' }, { fixed: '1.2.4' }], ['1.2.3']],
    ['the fixed version', [{ introduced: '0' }, { fixed: '1.2.3' }], []],
    ['without a fix', [{ introduced: '1.2.3' }], ['1.2.3', '2.0.0']],
    ['up to the last', [{ introduced: '0' }, { last_affected: '1.2.3' }], ['1.2.3']],
    [
      'twice',
      [{ introduced: '0' }, { fixed: '1.0.0' }, { introduced: '2.0.0' }, { fixed: '2.0.1' }],
      ['2.0.0'],
    ],
  ] as const) {
    test(`findVulnerabilities › ${name}`, () => {
      const hits = findVulnerabilities(lockedPackages(lockfile), [advisory('left', ...events)]);
      assert.deepEqual(
        hits.map(({ version }) => version),
        found,
      );
    });
  }

  test('an advisory that was taken back, or of another ecosystem, finds nothing', () => {
    const one = advisory('left', { introduced: '0' });
    const other = { ...one, affected: [{ package: { ecosystem: 'PyPI', name: 'left' } }] };
    const packages = lockedPackages(lockfile);
    assert.deepEqual(findVulnerabilities(packages, [{ ...one, withdrawn: '2026' }, other]), []);
  });

  test('no version of our lockfile is affected by the pinned list, which is about packages that it has', async () => {
    const text = await readFile(path.join(root, 'package-lock.json'), 'utf8');
    const packages = lockedPackages(JSON.parse(text) as typeof lockfile);
    const advisories = await readAdvisories(path.join(root, 'deploy/advisories.json'));
    assert.deepEqual(findVulnerabilities(packages, advisories), []);
    const names = new Set(packages.map(({ name }) => name));
    const unknown = advisories.filter(
      ({ affected }) => !affected.some((one) => names.has(one.package.name)),
    );
    assert.deepEqual(unknown, []);
    const older = packages.map((one) => ({ ...one, version: '0.0.1' }));
    assert.ok(findVulnerabilities(older, advisories).length >= advisories.length / 2);
  });
});
