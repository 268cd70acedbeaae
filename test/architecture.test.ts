/** Who may import what, and that nothing lies about unused. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entryPoints, readSource, type Import, type SourceFile } from './harness/source.ts';

/** A folder below `src`, and what its files may import beside each other. */
interface Room {
  /** `everything`: for the places where the parts are put together; no room imports them. */
  rooms: readonly string[] | 'everything';
  packages: readonly string[];
  node: boolean;
}

const foundation = ['domain', 'db', 'contract', 'platform'];
const parts = ['api', 'catalog', 'supply', 'payment', 'access', 'events', 'signals'];

/** THE room table; `design.md` has it in words. `src` is what lies in no folder. */
const rooms: Readonly<Record<string, Room>> = {
  contract: { rooms: [], packages: ['typebox'], node: false },
  domain: { rooms: ['contract'], packages: [], node: false },
  platform: { rooms: ['contract'], packages: [], node: true },
  db: { rooms: ['domain', 'contract', 'platform'], packages: ['lru-cache', 'pg'], node: true },
  // The request kernel: it knows no subject.
  api: { rooms: ['contract', 'platform'], packages: ['fastify', 'typebox'], node: true },
  catalog: { rooms: [...foundation, ...parts], packages: ['lru-cache', 'typebox'], node: true },
  supply: { rooms: [...foundation, ...parts], packages: ['lru-cache'], node: true },
  payment: { rooms: [...foundation, ...parts], packages: [], node: true },
  access: { rooms: [...foundation, ...parts], packages: ['jose', 'lru-cache'], node: true },
  events: {
    rooms: [...foundation, ...parts],
    packages: ['undici', 'ipaddr.js'],
    node: true,
  },
  signals: { rooms: [...foundation, ...parts], packages: [], node: true },
  simulation: { rooms: [...foundation, ...parts], packages: [], node: true },
  resolution: { rooms: [...foundation, ...parts], packages: [], node: true },
  operations: { rooms: [...foundation, ...parts], packages: ['lru-cache'], node: true },
  portal: { rooms: [...foundation, ...parts], packages: [], node: true },
  operator: { rooms: [...foundation, ...parts, 'portal'], packages: ['typebox'], node: true },
  http: {
    rooms: ['contract', 'platform', 'api', 'access', 'operations', 'portal'],
    packages: ['fastify', '@fastify/compress', '@fastify/helmet', '@fastify/static', 'marked'],
    node: true,
  },
  // A partner's server in all but name: it knows the contract, and reaches the service over HTTP.
  demo: { rooms: ['contract'], packages: [], node: true },
  cli: { rooms: 'everything', packages: ['leven'], node: true },
  src: { rooms: 'everything', packages: ['fastify', 'pino'], node: true },
};

/** What the table would refuse, and why it stands. */
const exceptions: readonly { from: string; imports: string; names: string[]; why: string }[] = [
  {
    from: 'api',
    imports: 'src/db/database.ts',
    names: ['DatabaseBusyError', 'DatabaseUnavailableError'],
    why: 'any call may throw them on its way out; here they become an answer',
  },
  {
    from: 'http',
    imports: 'src/db/database.ts',
    names: ['DatabaseUnavailableError'],
    why: 'the token endpoint answers it in the OAuth form',
  },
];

const source = readSource('src');
const byName = new Map(source.map((file) => [file.file, file]));

function roomOf(file: string): string {
  const [, room = '', inside] = file.split('/');
  return inside === undefined ? 'src' : room;
}

const isOurs = ({ from }: Import): boolean => from.startsWith('src/');

function packageOf(from: string): string {
  const [scope = '', name = ''] = from.split('/');
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

function isExcepted(room: string, { from, names }: Import): boolean {
  const isIn = (exception: (typeof exceptions)[number]) =>
    exception.from === room &&
    exception.imports === from &&
    names.every((name) => exception.names.includes(name));
  return exceptions.some(isIn);
}

function mayImport(room: string, imported: Import): boolean {
  const rule = rooms[room];
  if (!rule) return false;
  if (imported.from.startsWith('node:')) return rule.node;
  if (!isOurs(imported)) return rule.packages.includes(packageOf(imported.from));
  const other = roomOf(imported.from);
  if (other === room || rule.rooms === 'everything') return true;
  return rule.rooms.includes(other) || isExcepted(room, imported);
}

/** The folder whose index file is the way in, where an import from another room goes past it. */
function passedIndex(file: string, { from }: Import): string | undefined {
  const steps = from.split('/').slice(0, -1);
  const folders = steps.map((_, depth) => steps.slice(0, depth + 1).join('/'));
  return folders.find((folder) => {
    const index = `${folder}/index.ts`;
    return byName.has(index) && roomOf(file) !== roomOf(from) && from !== index;
  });
}

/** Everything that is wrong, in one message. */
function assertNone(found: readonly string[], message: string): void {
  assert.equal(found.length, 0, `${message}:\n${found.map((line) => `  ${line}`).join('\n')}`);
}

const eachImport = (visit: (file: SourceFile, imported: Import) => string | undefined): string[] =>
  source.flatMap((file) => file.imports.flatMap((imported) => visit(file, imported) ?? []));

describe('the house', () => {
  it('has a row in the table for every room', () => {
    const found = new Set(source.map(({ file }) => roomOf(file)));
    assert.deepEqual([...found].toSorted(), Object.keys(rooms).toSorted());
  });

  it('lets each room import only what the table allows', () => {
    const broken = eachImport(({ file }, imported) =>
      mayImport(roomOf(file), imported)
        ? undefined
        : `${file} imports ${imported.names.join(', ')} from ${imported.from}`,
    );
    assertNone(broken, 'not in the room table');
  });

  it('needs every exception that it makes', () => {
    const idle = exceptions.filter(({ from, imports, names }) => {
      const files = source.filter(({ file }) => roomOf(file) === from);
      const taken = files.flatMap((file) => file.imports.filter((one) => one.from === imports));
      return !names.every((name) => taken.some((one) => one.names.includes(name)));
    });
    assert.deepEqual(idle, []);
  });

  it('enters a folder that has an index file through it', () => {
    const broken = eachImport(({ file }, imported) => {
      const folder = isOurs(imported) ? passedIndex(file, imported) : undefined;
      return folder && `${file} imports ${imported.from}, past ${folder}/index.ts`;
    });
    assertNone(broken, 'past an index file');
  });

  it('imports only files that exist, by their whole name', () => {
    const broken = eachImport(({ file }, imported) =>
      isOurs(imported) && !byName.has(imported.from)
        ? `${file} imports ${imported.from}`
        : undefined,
    );
    assertNone(broken, 'no such file');
  });

  it('has no import cycles', () => {
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, way: readonly string[]): void => {
      const before = way.indexOf(file);
      if (before !== -1) cycles.push([...way.slice(before), file].join(' → '));
      if (before !== -1 || done.has(file)) return;
      for (const { from } of byName.get(file)?.imports ?? []) visit(from, [...way, file]);
      done.add(file);
    };
    for (const { file } of source) visit(file, []);
    assertNone(cycles, 'import cycles');
  });

  it('has no file that nothing leads to, and nothing imports an entry point', () => {
    const entries = entryPoints();
    assert.ok(entries.includes('src/main.ts'));
    const reached = new Set<string>();
    const reach = (file: string): void => {
      if (reached.has(file)) return;
      reached.add(file);
      for (const { from } of byName.get(file)?.imports ?? []) reach(from);
    };
    entries.forEach(reach);
    const dead = source.map(({ file }) => file).filter((file) => !reached.has(file));
    assertNone(dead, 'reached from no entry point');
    const imported = eachImport(({ file }, { from }) =>
      entries.includes(from) ? `${file} imports ${from}` : undefined,
    );
    assertNone(imported, 'entry points are not imported');
  });

  it('exports nothing that nobody uses', () => {
    const used = new Set(
      [...source, ...readSource('test', 'bench')].flatMap(({ imports }) =>
        imports.flatMap(({ from, names }) => names.map((name) => `${from} ${name}`)),
      ),
    );
    // A type may be there to be read, as part of what another export takes or gives.
    const isNamedAgain = (text: string, name: string) =>
      (text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0) > 1;
    const unused = source.flatMap(({ file, text, exports }) =>
      exports
        .filter(({ name }) => !used.has(`${file} ${name}`) && !used.has(`${file} *`))
        .filter(({ name, kind }) => kind !== 'type' || !isNamedAgain(text, name))
        .map(({ name }) => `${file} exports ${name}`),
    );
    assertNone(unused, 'used by nobody');
  });
});
