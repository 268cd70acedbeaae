import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { suite, test } from 'node:test';
import { billOf, type Lockfile } from './sbom.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = <T>(file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8')) as T;

suite('the bill of materials', () => {
  test('has every dependency of the service at its version and with its digest, and none of development', () => {
    const { components, bomFormat } = billOf(read<Lockfile>('package-lock.json'));
    assert.equal(bomFormat, 'CycloneDX');
    const listed = new Map(
      (components as { name: string; version: string; hashes?: object[] }[]).map((one) => [
        `${one.name}@${one.version}`,
        one,
      ]),
    );
    const manifest =
      read<Record<'dependencies' | 'devDependencies', Record<string, string>>>('package.json');
    for (const [name, version] of Object.entries(manifest.dependencies)) {
      assert.equal(listed.get(`${name}@${version}`)?.hashes?.length, 1, name);
    }
    assert.ok(!listed.has(`typescript@${manifest.devDependencies['typescript']}`));
  });

  test('names what is nested, aliases and scopes by their package', () => {
    const bill = billOf({
      name: 'ours',
      version: '1.0.0',
      packages: {
        '': { version: '1.0.0' },
        'packages/inner': { version: '1.0.0' },
        'node_modules/@ours/inner': { link: true },
        'node_modules/a/node_modules/@b/c': { version: '2.0.0', license: '(MIT OR Apache-2.0)' },
        'node_modules/alias': { version: '3.0.0', name: 'real', license: 'MIT' },
        'node_modules/tool': { version: '1.0.0', dev: true },
      },
    });
    assert.deepEqual(bill.components, [
      {
        type: 'library',
        'bom-ref': 'pkg:npm/%40b/c@2.0.0',
        name: '@b/c',
        version: '2.0.0',
        purl: 'pkg:npm/%40b/c@2.0.0',
        licenses: [{ expression: '(MIT OR Apache-2.0)' }],
      },
      {
        type: 'library',
        'bom-ref': 'pkg:npm/real@3.0.0',
        name: 'real',
        version: '3.0.0',
        purl: 'pkg:npm/real@3.0.0',
        licenses: [{ license: { name: 'MIT' } }],
      },
    ]);
  });
});
