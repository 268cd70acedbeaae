/** What the command line makes of words that mean nothing, and how it helps. No database is touched. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { nouns } from '../../src/cli/commands.ts';
import { newInstallation, type Installation } from './installation.ts';

const id = '0190d1a2-0000-7000-8000-00000000000a';
const create = 'application create --settlement card --grants catalog --name';

// Words after a bar are one argument.
const argumentsOf = (line: string): string[] =>
  line.split(' ').flatMap((word) => (word === '' ? [] : [word.replaceAll('|', ' ')]));

const misuses: [string, RegExp][] = [
  ['', /A noun comes first/],
  ['--json', /A noun comes first/],
  ['reservation list', /no noun "reservation"; there are application, key, signing-key/],
  ['constructor name', /no noun "constructor"/],
  ['application', /A verb comes after application/],
  ['application --json', /A verb comes after application/],
  ['application delete', /no verb "delete" for application; there are create, list/],
  ['application toString', /no verb "toString"/],
  ['application list extra', /Unexpected argument 'extra'/],
  ['application list --verbose', /Unknown option '--verbose'/],
  ['application list --json=yes', /--json/],
  ['application list --json --json', /--json is given more than once/],
  ['application create', /--name is missing.*\n.*--settlement is missing.*\n.*--grants is missing/],
  [`${create} a --name b`, /--name is given more than once/],
  [`${create}`, /--name/],
  [`${create}=`, /--name is empty/],
  [`${create} ||`, /--name is empty/],
  [`${create} a\u0007b`, /--name must be one line/],
  [`${create} ${'x'.repeat(101)}`, /--name must have at most 100 characters/],
  ['application create --name a --settlement cash --grants catalog', /must be card or partner/],
  ['application create --name a --settlement card --grants catalogue', /not know "catalogue"/],
  ['application create --name a --settlement card --grants search,search', /names search twice/],
  ['application create --name a --settlement card --grants catalog,', /does not know ""/],
  [`${create} a --quota read`, /--quota wants calls per minute for read/],
  [`${create} a --quota read=0`, /--quota wants calls per minute for read/],
  [`${create} a --quota read=-1`, /--quota wants calls per minute for read/],
  [`${create} a --quota read=1.5`, /--quota wants calls per minute for read/],
  [`${create} a --quota read=1=1`, /--quota wants calls per minute for read/],
  [`${create} a --quota read=9999999999`, /--quota wants calls per minute for read/],
  [`${create} a --quota reads=1`, /--quota does not know "reads": the tiers are read, search/],
  [`${create} a --quota read=1,read=2`, /--quota names read twice/],
  ['application suspend', /--application is missing/],
  ['application suspend --application 17', /--application must be a UUID/],
  [`application suspend --application {${id}}`, /--application must be a UUID/],
  [`application suspend --application ${id} --reason=`, /--reason is empty/],
  [`application suspend --application ${id} --reason ${'x'.repeat(501)}`, /at most 500/],
  [`application resume --application ${id} --reason x`, /Unknown option '--reason'/],
  [`application set-quota --application ${id}`, /--quota is missing/],
  [`key issue --application ${id} --expires-in 90x`, /--expires-in must be a duration/],
  [`key issue --application ${id} --expires-in 0d`, /--expires-in must be a duration/],
  [`key issue --application ${id} --expires-in 3651d`, /at most 3650d/],
  [`key issue --application ${id} --expires-in`, /--expires-in/],
  ['key revoke', /--key is missing/],
  ['key revoke --key=', /--key is empty/],
  ['signing-key rotate --now', /Unknown option '--now'/],
];

describe('wrong usage', () => {
  let installation: Installation;
  before(async () => {
    installation = await newInstallation();
  });
  after(() => installation.remove());

  for (const [line, problem] of misuses) {
    it(`exits with 2 and the usage: latchkey ${line.slice(0, 90)}`, async () => {
      const { exitCode, stdout, stderr } = await installation.latchkey(argumentsOf(line));
      assert.deepEqual([exitCode, stdout], [2, '']);
      assert.match(stderr, problem);
      assert.match(stderr, /^Usage: latchkey /m);
    });
  }

  it('touches nothing', () => {
    assert.equal(existsSync(installation.dataDir), false);
  });

  it('does not repeat a key that was given in the place of its ID', async () => {
    const key = `lk_sandbox_000000000000_${'s'.repeat(43)}_000000`;
    const { exitCode, stderr } = await installation.latchkey(['key', 'revoke', '--key', key]);
    assert.equal(exitCode, 2);
    assert.match(stderr, /takes the ID of a key/);
    assert.doesNotMatch(stderr, /sss/);
  });
});

describe('help', () => {
  let installation: Installation;
  before(async () => {
    installation = await newInstallation();
  });
  after(() => installation.remove());

  const helped = async (...words: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await installation.latchkey(words);
    assert.deepEqual([exitCode, stderr], [0, '']);
    return stdout;
  };
  const commands = Object.entries(nouns).flatMap(([noun, { verbs }]) =>
    Object.entries(verbs).map(([verb, command]) => ({ noun, verb, command })),
  );

  it('lists every command, by word and by flag', async () => {
    const usage = await helped('help');
    assert.equal(await helped('--help'), usage);
    assert.equal(await helped('-h'), usage);
    for (const { noun, verb } of commands)
      assert.match(usage, new RegExp(`^ +${noun} ${verb} `, 'm'));
  });

  it('lists the verbs of a noun', async () => {
    const usage = await helped('help', 'key');
    assert.equal(await helped('key', '--help'), usage);
    for (const verb of ['issue', 'list', 'revoke']) assert.match(usage, new RegExp(`key ${verb} `));
    assert.doesNotMatch(usage, /application create/);
  });

  it('shows every flag of every command', async () => {
    for (const { noun, verb, command } of commands) {
      const usage = await helped(noun, verb, '--help');
      assert.equal(await helped('help', noun, verb), usage);
      for (const flag of [...Object.keys(command.flags), 'json', 'help']) {
        assert.match(usage, new RegExp(`^ +--${flag} `, 'm'), `${noun} ${verb} --${flag}`);
      }
    }
  });

  it('stands in the guide, flag by flag', async () => {
    const guide = await readFile(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
    for (const { noun, verb, command } of commands) {
      const [, section = ''] = guide.split(`### \`${noun} ${verb}\``);
      assert.notEqual(section, '', `${noun} ${verb}`);
      const [body = ''] = section.split('\n#');
      for (const flag of Object.keys(command.flags)) {
        assert.ok(body.includes(`\`--${flag}`), `${noun} ${verb} --${flag}`);
      }
    }
  });

  it('shows the version', async () => {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    assert.equal(await helped('--version'), `${version}\n`);
  });
});
