/** Who may import what. `npm run check` enforces it; ARCHITECTURE.md says it in words. */

/** Subjects in their order: each may import those before it, by their index only. */
const subjects = [
  'access',
  'sign-in',
  'pricing',
  'catalog',
  'inventory',
  'channels',
  'events',
  'bookings',
  'payments',
  'webhooks',
  'attention',
  'signals',
  'request-log',
  'sandbox',
  'operator',
];

const group = (names) => `(${names.join('|')})`;
const test = String.raw`[.]test[.]ts$`;

/** A folder may import these paths of the project, and itself. */
const folder = (name, allowed) => ({
  name: `${name} imports only what it may`,
  severity: 'error',
  from: { path: `^src/${name}/`, pathNot: test },
  to: { path: '^src/', pathNot: [name, ...allowed].map((other) => `^src/${other}(/|$)`) },
});

const subjectRules = subjects.map((name, place) =>
  folder(name, ['contract', 'platform', 'api', ...subjects.slice(0, place)]),
);

module.exports = {
  forbidden: [
    {
      name: 'no cycles',
      severity: 'error',
      from: { path: '^(src|bench)/' },
      to: { circular: true },
    },
    {
      name: 'benchmarks import only the harness of the tests',
      severity: 'error',
      from: { path: '^bench/' },
      to: { path: '^test/', pathNot: '^test/harness/' },
    },
    {
      name: 'nothing that ships imports tests, benchmarks or the console',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: { path: '^(test|bench|console)/' },
    },
    folder('contract', []),
    folder('platform', ['contract']),
    folder('api', ['contract', 'platform']),
    folder('demo', ['contract']),
    folder('simulation', ['contract', 'platform', ...subjects]),
    ...subjectRules,
    {
      name: 'contract needs only typebox',
      severity: 'error',
      from: { path: '^src/contract/', pathNot: test },
      to: { dependencyTypesNot: ['local'], pathNot: 'node_modules/typebox/' },
    },
    {
      name: 'demo needs no library',
      severity: 'error',
      from: { path: '^src/demo/' },
      to: { dependencyTypesNot: ['core', 'local'] },
    },
    {
      name: 'a subject is entered through its index',
      severity: 'error',
      from: { path: '^src/([^/]+)', pathNot: test },
      to: {
        path: `^src/${group([...subjects, 'simulation'])}/`,
        pathNot: ['^src/$1/', '^src/[^/]+/index[.]ts$'],
      },
    },
    {
      name: 'nobody outside imports a store',
      severity: 'error',
      from: { path: '^src/([^/]+)', pathNot: test },
      to: { path: '^src/[^/]+/store/', pathNot: '^src/$1/' },
    },
    {
      name: 'rules import only rules and the contract',
      severity: 'error',
      from: { path: '^src/[^/]+/rules/', pathNot: test },
      to: {
        pathNot: ['^src/[^/]+/rules/', '^src/contract/', '^src/pricing/index[.]ts$'],
      },
    },
    {
      name: 'only api and the composition know Fastify',
      severity: 'error',
      from: { path: `^src/${group([...subjects, 'platform', 'simulation', 'contract'])}/` },
      to: { path: 'node_modules/(@fastify|fastify)/' },
    },
    {
      name: 'nothing imports cli, demo or an entry point',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/((cli|demo|build)/|main[.]ts)', test] },
      to: { path: '^src/(cli/|demo/|build/|main[.]ts)' },
    },
    {
      name: 'everything imported exists',
      severity: 'error',
      // The tests of generators generate what they import.
      from: { pathNot: '^test/generators/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
    builtInModules: { add: ['node:sqlite'] },
  },
};
