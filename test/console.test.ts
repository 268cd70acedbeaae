/** The source of the web pages: what it may import, and that nothing in it is unused. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shortMoney } from '../console/src/base/words/money.ts';
import { pageAt } from '../console/src/operator/page-at.ts';
import { reads } from '../console/src/operator/reads.ts';
import { shownFilter } from '../console/src/operator/pages/reservations/shown-filter.ts';
import { browserOf } from '../console/src/base/words/user-agent.ts';
import { routesOf } from './harness/page-routes.ts';
import { readSource } from './harness/source.ts';

const source = readSource('console/src');
const byName = new Map(source.map((file) => [file.file, file]));
const imports = source.flatMap(({ file, imports: made }) =>
  made.map(({ from, names }) => ({ file, from, names })),
);

/** What the page is made with; `package.json` has the versions. */
const packages = [
  '@mantine/charts',
  '@mantine/code-highlight',
  '@mantine/core',
  '@mantine/form',
  '@mantine/hooks',
  '@mantine/modals',
  '@mantine/notifications',
  '@simplewebauthn/browser',
  '@tabler/icons-react',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-virtual',
  'highlight.js/lib/core',
  'highlight.js/lib/languages/bash',
  'highlight.js/lib/languages/http',
  'highlight.js/lib/languages/javascript',
  'highlight.js/lib/languages/json',
  'highlight.js/lib/languages/plaintext',
  'highlight.js/lib/languages/python',
  'react',
  'react-dom',
  'react-dom/client',
  'uqr',
];

const isPackage = (from: string): boolean => !/^(?:src|console|packages)\//.test(from);

describe('amounts in the cells of the calendar', () => {
  const cases = [
    { minor: 99_950, currency: 'EUR', short: '1,000' },
    { minor: 999_900, currency: 'EUR', short: '9,999' },
    { minor: 26_850, currency: 'JPY', short: '26.9K' },
    { minor: 1_250_000, currency: 'JPY', short: '1.25M' },
    { minor: 99_900, currency: 'HUF', short: '999' },
    { minor: 99_900, currency: 'KWD', short: '100' },
  ];
  for (const { minor, currency, short } of cases)
    it(`${minor} minor units of ${currency}: ${short}`, () =>
      assert.equal(shortMoney(minor, currency), short));
});

describe('the page at an address, before the code of the pages is there', () => {
  it('is that of the route, with its parameters', () => {
    for (const route of Object.keys(reads)) {
      const params = Object.fromEntries(
        [...route.matchAll(/\$(\w+)/g)].map(([, name], at) => [name!, `one ${at}/ü`]),
      );
      const path = route.replaceAll(/\$(\w+)/g, (_, name: string) =>
        encodeURIComponent(params[name]!),
      );
      assert.deepEqual(pageAt(path), { route, params });
      if (route !== '/') assert.deepEqual(pageAt(`${path}/`), { route, params });
    }
    assert.equal(pageAt('')?.route, '/');
  });

  for (const path of ['/nowhere', '/homes/a/b', '/invitation', '/partners//webhooks'])
    it(`${path}: none`, () => assert.equal(pageAt(path), undefined));

  it('keeps a part that cannot be decoded', () =>
    assert.deepEqual(pageAt('/homes/%'), { route: '/homes/$listing', params: { listing: '%' } }));

  it('is one of the console', () => {
    const known = routesOf('operator');
    assert.deepEqual(
      Object.keys(reads).filter((route) => !known.includes(route)),
      [],
    );
  });
});

describe('the first day of arrival in the list of reservations', () => {
  const today = '2027-03-01';
  const cases = [
    { address: {}, from: today },
    { address: { state: 'cancelled', to: today }, from: today },
    { address: { from: '2026-01-01' }, from: '2026-01-01' },
    { address: { from: 'all' }, from: undefined },
    { address: { to: '2027-02-28' }, from: undefined },
    { address: { guestOf: 'LK-0000-0000' }, from: undefined },
    { address: { reference: 'LK-0000-0000' }, from: undefined },
    { address: { partnerReference: 'order 1' }, from: undefined },
    { address: { recordsRefused: 'true' }, from: undefined },
    { address: { cursor: 'a' }, from: undefined },
  ];
  for (const { address, from } of cases)
    it(`${JSON.stringify(address)}: ${from ?? 'any'}`, () =>
      assert.equal(shownFilter(address, today).from, from));
});

describe('browser and system of a session', () => {
  const ios = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0';
  const cases = [
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chrome} Safari/537.36`,
      'Chrome 149 on macOS',
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Safari/537.36 Edg/148.0.0.0`,
      'Edge 148 on Windows',
    ],
    [
      'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:151.0) Gecko/20100101 Firefox/151.0',
      'Firefox 151 on Linux',
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) ${ios} Version/26.1 Mobile/15E148 Safari/604.1`,
      'Safari 26 on iPhone',
    ],
    [
      `Mozilla/5.0 (Linux; Android 16; Pixel 9) ${chrome} Mobile Safari/537.36`,
      'Chrome 149 on Android',
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 15_1) ${ios} Version/26.0 Safari/605.1.15`,
      'Safari 26 on macOS',
    ],
    ['curl/8.5.0', null],
    ['', null],
  ] as const;
  for (const [userAgent, words] of cases)
    it(`${userAgent || 'none'}: ${words}`, () => assert.equal(browserOf(userAgent), words));
});

describe('the page of the portal', () => {
  it('imports its packages, the contract and itself', () => {
    const broken = imports.filter(
      ({ from }) =>
        !(isPackage(from)
          ? packages.includes(from)
          : /^(?:src\/contract|packages\/partner\/src\/contract|console\/src)\//.test(from)),
    );
    assert.deepEqual(broken, []);
  });

  it('uses every package that it may import', () => {
    const used = new Set(imports.map(({ from }) => from));
    assert.deepEqual(
      packages.filter((name) => !used.has(name)),
      [],
    );
  });

  it('has no file that nothing leads to, and no import cycles', () => {
    const reached = new Set<string>();
    const cycles: string[] = [];
    const reach = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) cycles.push([...way, file].join(' → '));
      if (reached.has(file)) return;
      reached.add(file);
      for (const { from } of byName.get(file)?.imports ?? []) reach(from, [...way, file]);
    };
    for (const start of ['portal/main.tsx', 'operator/main.tsx', 'operator/begin.ts']) {
      reach(`console/src/${start}`, []);
    }
    assert.deepEqual(cycles, []);
    assert.deepEqual(
      source.map(({ file }) => file).filter((file) => !reached.has(file)),
      [],
    );
  });

  it('exports nothing that nobody uses', () => {
    const used = new Set(
      imports.flatMap(({ from, names }) => names.map((name) => `${from} ${name}`)),
    );
    const unused = source.flatMap(({ file, exports }) =>
      exports.map(({ name }) => `${file} ${name}`).filter((name) => !used.has(name)),
    );
    assert.deepEqual(unused, []);
  });
});
