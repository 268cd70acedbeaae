/** The dashboard, the alerts and their runbooks: they fit the metrics, and each other. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { collectDefaultMetrics, Registry } from 'prom-client';

const project = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(project, file), 'utf8');

const alerts = read('deploy/prometheus/alerts.yaml');
const alertNames = [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name);

interface Panel {
  id: number;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}
const { panels } = JSON.parse(read('deploy/grafana/latchkey.json')) as { panels: Panel[] };

/** The names of all series that a process can serve. */
function served(): Set<string> {
  const ofNode = new Registry();
  collectDefaultMetrics({ register: ofNode });
  const own = read('src/program/metrics.ts').match(/'latchkey_\w+'/g) ?? [];
  const names = [
    ...ofNode.getMetricsAsArray().map(({ name }) => name),
    ...own.map((name) => name.slice(1, -1)),
  ];
  const suffixes = ['', '_bucket', '_count', '_sum'];
  return new Set(['up', ...names.flatMap((name) => suffixes.map((suffix) => name + suffix))]);
}

const missing = (text: string): string[] => {
  const known = served();
  const named = text.match(/\b(?:latchkey|nodejs|process)_\w+/g) ?? [];
  return [...new Set(named)].filter((name) => !known.has(name));
};

test('dashboard › names only metrics that exist, in panels that do not overlap', () => {
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  assert.ok(expressions.length > 30);
  assert.deepEqual(missing(expressions.join('\n')), []);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  );
  assert.equal(new Set(cells).size, cells.length);
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
});

test('dashboard › shows every metric of Latchkey', () => {
  const shown = JSON.stringify(panels);
  const own = [...new Set(read('src/program/metrics.ts').match(/(?<=')latchkey_\w+(?=')/g))];
  assert.deepEqual(
    own.filter((name) => !shown.includes(name)),
    [],
  );
});

test('alerts › name only metrics that exist', () => {
  assert.deepEqual(missing(alerts), []);
});

test('alerts › each has one section of the runbooks, and a test that it fires', () => {
  const sections = [...read('docs/operators/runbooks.md').matchAll(/^## (\w+)$/gm)];
  assert.deepEqual(
    sections.map(([, name]) => name),
    alertNames,
  );
  for (const name of alertNames) {
    assert.ok(alerts.includes(`runbook: docs/operators/runbooks.md#${name.toLowerCase()}\n`), name);
    assert.ok(read('deploy/prometheus/alerts.test.yaml').includes(`name: ${name}, fires\n`), name);
  }
});

const isInstalled = spawnSync('promtool', ['--version']).status === 0;
const noPromtool = isInstalled || process.env['CI'] ? false : 'promtool is not installed';

test('alerts › fire when they should, and only then', { skip: noPromtool }, () => {
  const file = path.join(project, 'deploy/prometheus/alerts.test.yaml');
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${stdout}${stderr}`);
});
