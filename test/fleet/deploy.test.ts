/** The files of `deploy`: they name what the service has, and conform to their published types. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import events from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { copiedByVersions } from '../harness/another-version.ts';
import { Balancer, haproxy, haproxyEnv, haproxyFile, noHaproxy } from '../harness/haproxy.ts';
import { findInstalled, skippedWithout } from '../harness/installed.ts';
import { projectRoot } from '../harness/service-process.ts';

const run = promisify(execFile);
const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

const settings = new Set(
  [...read('docs/operators/running.md').matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name!),
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
    const ofInstallation = ['src/build/bundle.ts'];
    const served = globSync('src/**/*.ts', { cwd: projectRoot, exclude: ofInstallation });
    const sources = served.map(read).join('\n');
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
    assert.deepEqual(new Set(Object.keys(services['haproxy']!.environment ?? {})), new Set(needed));
  });
});

/** What a process does with a call: the status of its response, or null for no response. */
type Behaviour = () => number | null;

/** A process that is always ready, and what it was called with. */
async function startProcess(behave: Behaviour) {
  const calls: string[] = [];
  const server = createServer(({ method, url }, reply) => {
    const isCheck = url === '/readyz';
    if (!isCheck) calls.push(`${method} ${url}`);
    const status = isCheck ? 200 : behave();
    if (status === null) reply.destroy();
    else reply.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, calls, port: (server.address() as AddressInfo).port };
}

/** The status of a call on a connection of its own: HAProxy answers the first call of a connection in any case. */
async function statusOf(url: string, method: string): Promise<number> {
  const call = request(url, { method, agent: false }).end();
  const [response] = (await events.once(call, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode!;
}

describe('deploy › HAProxy', { skip: noHaproxy }, () => {
  it('accepts the configuration', async () => {
    const env = haproxyEnv({ port: 1, metricsPort: 2 }, [3, 4]);
    await run(haproxy!, ['-c', '-f', haproxyFile], { env });
  });

  /** The statuses of a call that is made four times, and how many calls both processes got. */
  async function behind(one: Behaviour, other: Behaviour, method: string, target: string) {
    const processes = [await startProcess(one), await startProcess(other)] as const;
    const balancer = await Balancer.start([processes[0].port, processes[1].port]);
    try {
      await balancer.bothServe();
      const statuses: number[] = [];
      for (let count = 0; count < 4; count += 1) {
        statuses.push(await statusOf(`${balancer.origin}${target}`, method));
      }
      return { statuses, calls: processes.flatMap(({ calls }) => calls).length };
    } finally {
      await balancer.stop();
      for (const { server } of processes) server.close().closeAllConnections();
    }
  }

  const killed = (): null => null;
  const serves = (): number => 200;

  for (const [method, target] of [
    ['POST', '/v1/quotes'],
    ['GET', '/operator/v1/overview'],
  ] as const) {
    it(`sends ${method} ${target} to the other process if it got no response`, async () => {
      const { statuses, calls } = await behind(killed, serves, method, target);
      assert.deepEqual(statuses, [200, 200, 200, 200]);
      assert.ok(calls > statuses.length);
    });
  }

  for (const [method, target] of [
    ['POST', '/operator/v1/payments/LK-1/refund'],
    ['PATCH', '/booking/operator/v1/listings/1'],
    ['DELETE', '/portal/v1/endpoints/1'],
  ] as const) {
    it(`never sends ${method} ${target} twice`, async () => {
      const { statuses, calls } = await behind(killed, serves, method, target);
      assert.deepEqual(statuses.toSorted(), [200, 200, 503, 503]);
      assert.equal(calls, statuses.length);
    });
  }

  it('asks the other release for a file that one does not have, and only for files', async () => {
    const lacks = (): number => 404;
    const file = await behind(lacks, serves, 'GET', '/operator/assets/operator-1a2b.js');
    assert.deepEqual(file.statuses, [200, 200, 200, 200]);
    const { statuses, calls } = await behind(lacks, serves, 'GET', '/v1/listings/1');
    assert.deepEqual([statuses.toSorted(), calls], [[200, 200, 404, 404], 4]);
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
  const lines = objects.map((one, index) => {
    const type = `import('${moduleOf(one)}').I${one.kind}`;
    return `export const object${index}: ${type} = ${JSON.stringify(one)};`;
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

interface Policy extends KubernetesObject {
  spec: { podSelector: { matchLabels: Record<string, string> } };
}

interface Workload extends KubernetesObject {
  metadata: { name: string };
  spec: { template: { metadata: { labels: Record<string, string> } } };
}

/** The workloads whose pods no network policy selects: everything in the cluster could call them. */
const unguarded = (objects: readonly KubernetesObject[]): string[] => {
  const policies = objects.filter((one): one is Policy => one.kind === 'NetworkPolicy');
  return objects
    .filter((one): one is Workload => ['Deployment', 'StatefulSet'].includes(one.kind))
    .filter(({ spec: { template } }) => {
      const { labels } = template.metadata;
      return !policies.some(({ spec: { podSelector } }) =>
        Object.entries(podSelector.matchLabels).every(([name, value]) => labels[name] === value),
      );
    })
    .map(({ metadata }) => metadata.name);
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
        assert.deepEqual(unguarded(objects), []);
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
