/** The files of `deploy`: they name what the service has, and conform to their published types. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { copiedByVersions } from '../harness/another-version.ts';
import { haproxy, haproxyEnv, haproxyFile, noHaproxy } from '../harness/haproxy.ts';
import { findInstalled, skippedWithout } from '../harness/installed.ts';
import { projectRoot } from '../harness/service-process.ts';

const run = promisify(execFile);
const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

const settings = new Set(
  [...read('docs/guides/running.md').matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name!),
);
const unknownSettings = (names: readonly string[]): string[] =>
  names.filter((name) => !settings.has(name));

describe('deploy › image', () => {
  const text = read('deploy/Dockerfile');

  it('contains what a running service needs', () => {
    const copied = [...text.matchAll(/\/latchkey\/(\S+)/g)].map(([, name]) => name!);
    const missing = copiedByVersions.filter(
      (name) => !copied.some((pattern) => path.matchesGlob(name, pattern)),
    );
    assert.deepEqual(missing, []);
  });

  it('removes exactly the packages that only the build needs', () => {
    const { dependencies } = JSON.parse(read('package.json')) as {
      dependencies: Record<string, string>;
    };
    const sources = globSync('src/**/*.ts', { cwd: projectRoot }).map(read).join('\n');
    const unused = Object.keys(dependencies).filter(
      (name) => !sources.includes(`'${name}'`) && !sources.includes(`'${name}/`),
    );
    const removed = /npm uninstall [^&]*?\n(?<names>[^]*?)\n\n/.exec(text)!.groups!['names']!;
    const names = removed.split(/[\s\\]+/).filter((name) => name && !name.startsWith('node-linux'));
    assert.deepEqual(names.toSorted(), unused.toSorted());
  });

  it('runs without privileges', () => {
    assert.match(text, /^USER 10001:10001$/m);
  });
});

interface ComposeFile {
  name: string;
  services: Record<string, { environment?: Record<string, string> }>;
}

describe('deploy › compose', () => {
  const file = parse(read('deploy/compose.yaml'), { merge: true }) as ComposeFile;
  const { services } = file;
  const processes = ['api1', 'api2', 'worker1', 'worker2'];

  it('gives every process settings that the service knows, and they are valid', () => {
    for (const name of processes) {
      const { environment = {} } = services[name]!;
      assert.deepEqual(unknownSettings(Object.keys(environment)), [], name);
      const filled = Object.entries(environment).map(([key, value]) => {
        const sample =
          key === 'LATCHKEY_MASTER_KEY' ? Buffer.alloc(32).toString('base64') : 'sample';
        const text = value.replaceAll(
          /\$\{\w+(?::-(?<standard>[^}]*)|:\?[^}]*)?\}/g,
          (...match) => {
            const { standard } = match.at(-1) as { standard?: string };
            return standard ?? sample;
          },
        );
        return [key, text];
      });
      const { roles } = readConfig(Object.fromEntries(filled) as NodeJS.ProcessEnv);
      assert.deepEqual(roles, [name.replace(/\d/, '')]);
    }
  });

  it('conforms to the schema of the Compose Specification, and a wrong member is seen', () => {
    // Names of an older draft, which nothing refers to.
    const schema = JSON.parse(read('test/fixtures/compose-spec.json'), (name, value: unknown) =>
      ['id', '$schema'].includes(name) && typeof value === 'string' ? undefined : value,
    ) as object;
    const conforms = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    // The schema of 2021 does not know the name of a project.
    const { name: _, ...known } = file;
    assert.ok(conforms(known), JSON.stringify(conforms.errors));
    const wrong = structuredClone(known);
    Object.assign(wrong.services['api1']!, { readonly: true });
    assert.ok(!conforms(wrong));
    assert.match(JSON.stringify(conforms.errors), /"additionalProperty":"readonly"/);
  });

  it('gives HAProxy what its configuration needs', () => {
    const needed = [...read('deploy/haproxy.cfg').matchAll(/"\$\{(\w+)\}"/g)].map(
      ([, name]) => name,
    );
    assert.deepEqual(
      Object.keys(services['haproxy']!.environment ?? {}).toSorted(),
      needed.toSorted(),
    );
  });
});

describe('deploy › HAProxy', { skip: noHaproxy }, () => {
  it('accepts the configuration', async () => {
    const env = haproxyEnv({ port: 1, metricsPort: 2 }, [3, 4]);
    await run(haproxy!, ['-c', '-f', haproxyFile], { env });
  });
});

const systemdAnalyze = findInstalled('systemd-analyze');

/** What systemd says of a unit. The program of the unit is not installed here. */
async function unitProblems(text: string): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-unit-'));
  const file = path.join(folder, 'latchkey@.service');
  await writeFile(file, text.replaceAll('/opt/latchkey/node_modules/.bin/node', process.execPath));
  try {
    const { stderr } = await run(systemdAnalyze!, ['verify', '--man=no', file]);
    return stderr.split('\n').filter((line) => line.includes('latchkey@'));
  } catch (error) {
    return (error as { stderr: string }).stderr.trim().split('\n');
  } finally {
    await rm(folder, { recursive: true });
  }
}

// CI does not install systemd for one command: in a container it would replace more than it checks.
const noSystemd = systemdAnalyze ? false : 'systemd-analyze is not installed';

describe('deploy › systemd', { skip: noSystemd }, () => {
  it('accepts the unit, and a wrong setting is seen', async () => {
    const unit = read('deploy/systemd/latchkey@.service');
    assert.deepEqual(await unitProblems(unit), []);
    const problems = await unitProblems(unit.replace('UMask=', 'Umask='));
    assert.match(problems.join('\n'), /Unknown key.* 'Umask'/);
  });
});

interface KubernetesObject {
  apiVersion: string;
  kind: string;
}

const objectsIn = (text: string): KubernetesObject[] =>
  parseAllDocuments(text).map((one) => one.toJS() as KubernetesObject);

/** The module of a kind: its type and the validation by its schema, from the published document of Kubernetes. */
const moduleOf = ({ apiVersion, kind }: KubernetesObject): string =>
  `kubernetes-models/${apiVersion}/${kind}`;

type Model = new (data: KubernetesObject) => { validate(): void };

/** Compares objects with the schemas of Kubernetes, which allow unknown members. */
async function schemaProblems(objects: readonly KubernetesObject[]): Promise<string[]> {
  const problems: string[] = [];
  for (const one of objects) {
    const module = (await import(moduleOf(one))) as Record<string, Model>;
    try {
      new module[one.kind]!(one).validate();
    } catch (error) {
      problems.push(`${one.kind}: ${(error as Error).message}`);
    }
  }
  return problems;
}

/** Compares objects with the types of Kubernetes, unknown members included. Returns the messages of the compiler. */
async function typeProblems(objects: readonly KubernetesObject[]): Promise<string> {
  const lines = objects.map((one, place) => {
    const type = `import('${moduleOf(one)}').I${one.kind}`;
    return `export const object${place}: ${type} = ${JSON.stringify(one)};`;
  });
  const folder = await mkdtemp(path.join(projectRoot, 'node_modules/.cache/kubernetes-'));
  const file = path.join(folder, 'objects.ts');
  await writeFile(file, lines.join('\n'));
  const flags = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--types', '', file];
  const compiler = path.join(projectRoot, 'node_modules/.bin/tsc');
  const module = ['--module', 'esnext', '--moduleResolution', 'bundler'];
  try {
    await run(compiler, [...module, ...flags]);
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const folder = 'deploy/kubernetes';
const kubectl = findInstalled('kubectl');
const noKubectl = skippedWithout('kubectl', kubectl);

const rendered = async (overlay: string): Promise<KubernetesObject[]> => {
  const { stdout } = await run(kubectl!, ['kustomize', `${folder}/overlays/${overlay}`], {
    cwd: projectRoot,
  });
  return objectsIn(stdout);
};

describe('deploy › Kubernetes', () => {
  it('sets what the service knows', () => {
    const [configuration] = objectsIn(read(`${folder}/base/configuration.yaml`)) as unknown as [
      { data: Record<string, string> },
    ];
    assert.deepEqual(unknownSettings(Object.keys(configuration.data)), []);
  });

  it(
    'renders both overlays, which conform; wrong members are seen',
    { skip: noKubectl },
    async () => {
      const overlays = [await rendered('small'), await rendered('production')];
      for (const objects of overlays) {
        assert.deepEqual(await schemaProblems(objects), []);
        const kinds = new Set(objects.map(({ kind }) => kind));
        for (const kind of ['Deployment', 'PodDisruptionBudget', 'NetworkPolicy']) {
          assert.ok(kinds.has(kind), kind);
        }
      }
      const wrong = {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        spec: { selector: 'api' },
      };
      assert.match(String(await schemaProblems([wrong])), /spec\/selector must be object/);
      const unknown = { apiVersion: 'v1', kind: 'ServiceAccount', automountServiceToken: false };
      const problems = await typeProblems([...overlays.flat(), unknown]);
      assert.match(problems, /automountServiceToken/);
      assert.equal(problems.trim().split('\n').length, 1, problems);
    },
  );
});
