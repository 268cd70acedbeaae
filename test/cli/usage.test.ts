/** Wrong usage and help of the command line. No database is used. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { calledAs, type Command, type Noun } from '../../src/cli/command.ts';
import { nouns } from '../../src/cli/commands.ts';
import { newInstallation, type Installation } from './installation.ts';

const id = '0190d1a2-0000-7000-8000-00000000000a';
const add = `webhook endpoint add --application ${id} --url https://a.example/ `.trim();
const create = 'application create --settlement card --grants catalog --name';

const cancel = 'reservation cancel --reference LK-1234-5678 --reason x';
const change = 'reservation change --reference LK-1234-5678 --reason x';
const refund = 'payment refund --reference LK-1234-5678 --reason x --amount 5';

interface NamedCommand {
  noun: string;
  verb: string;
  command: Command;
}

// Words after a bar are one argument.
const argumentsOf = (line: string): string[] =>
  line.split(' ').flatMap((word) => (word === '' ? [] : [word.replaceAll('|', ' ')]));

const misuses: [string, RegExp][] = [
  ['', /A noun comes first/],
  ['--json', /A noun comes first/],
  ['booking list', /no noun "booking"; there are application, key, conformance, signing-key/],
  ['aplication list', /no noun "aplication"; did you mean "application"\? There are application,/],
  ['application lst', /no verb "lst" for application; did you mean "list"\?/],
  ['webhook endpont list', /no verb "endpont" for webhook; did you mean "endpoint"\?/],
  [`key list --aplication ${id}`, /Unknown option '--aplication'\. Did you mean --application\?/],
  ['application list --jsno', /Unknown option '--jsno'\. Did you mean --json\?/],
  ['constructor name', /no noun "constructor"/],
  ['application', /A verb comes after application/],
  ['application --json', /A verb comes after application/],
  ['application delete', /no verb "delete" for application; there are create, list/],
  ['application toString', /no verb "toString"/],
  ['application list extra', /Unexpected argument 'extra'/],
  ['application list --verbose', /Unknown option '--verbose'\.\n/],
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
  [`${create} a --quota read`, /--quota needs calls per minute for read/],
  [`${create} a --quota read=0`, /--quota needs calls per minute for read/],
  [`${create} a --quota read=-1`, /--quota needs calls per minute for read/],
  [`${create} a --quota read=1.5`, /--quota needs calls per minute for read/],
  [`${create} a --quota read=1=1`, /--quota needs calls per minute for read/],
  [`${create} a --quota read=9999999999`, /--quota needs calls per minute for read/],
  [`${create} a --quota reads=1`, /--quota does not know "reads": the tiers are read, search/],
  [`${create} a --quota read=1,read=2`, /--quota names read twice/],
  ['application suspend', /--application is missing/],
  ['application suspend --application=', /--application is empty/],
  [`application suspend --application ${'x'.repeat(101)}`, /--application must have at most 100/],
  ['application show', /--application is missing/],
  [
    `application set --application ${id}`,
    /least one is missing of --name, --grants, --catalog, --adjust-percent, --reservations-per-day, --portal-keys, --commission-percent, --changes, --require-report\./,
  ],
  [`application set --application ${id} --settlement card`, /Unknown option '--settlement'/],
  [`application set --application ${id} --adjust-percent 1001`, /a number from -100 to 1000 with/],
  [`application set --application ${id} --adjust-percent -100.5`, /a number from -100 to 1000/],
  [`application set --application ${id} --adjust-percent 1.125`, /at most two decimals/],
  [`application set --application ${id} --adjust-percent --name a`, /--adjust-percent/],
  [`application set --application ${id} --reservations-per-day -1`, /from 0 to 1000000, or none/],
  [`application set --application ${id} --portal-keys true`, /must be yes or no/],
  [`${create} a --reservations-per-day many`, /from 0 to 1000000, or none/],
  [`${create} a --catalog=`, /--catalog is empty/],
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
  ['webhook', /A verb comes after webhook\./],
  ['webhook endpoint', /A verb comes after webhook endpoint/],
  ['webhook send', /no verb "send" for webhook; there are endpoint, delivery, listen/],
  ['webhook endpoint constructor', /no verb "constructor" for webhook endpoint/],
  [`webhook endpoint add --application ${id}`, /--url is missing/],
  [`webhook endpoint add --application ${id} --url nowhere`, /--url must be a URL/],
  [`webhook endpoint add --application ${id} --url ftp://a.example/`, /--url must be a URL/],
  [`${add} --events checkout.resolved,checkout.done`, /--events does not know "checkout.done"/],
  [`${add} --events checkout.resolved,checkout.resolved`, /--events names checkout.resolved twice/],
  [`${add} --description ${'x'.repeat(201)}`, /--description must have at most 200/],
  ['webhook endpoint pause', /--endpoint is missing/],
  ['webhook endpoint delete --endpoint 17', /--endpoint must be a UUID/],
  [`webhook endpoint resume --endpoint ${id} --missed some`, /--missed must be replay or skip/],
  [`webhook delivery list --application ${id} --state lost`, /--state must be pending or/],
  [`webhook delivery list --application ${id} --limit 0`, /--limit must be an integer from 1/],
  [`webhook delivery list --application ${id} --limit 501`, /--limit must be an integer from 1/],
  ['webhook delivery replay --delivery evt_1', /--delivery must be a UUID/],
  [`webhook delivery replay-failed --endpoint ${id}`, /--since is missing/],
  [
    `webhook delivery replay-failed --endpoint ${id} --since yesterday`,
    /--since must be an instant/,
  ],
  [`webhook delivery replay-failed --endpoint ${id} --since 2027-02-01`, /--since must be/],
  ['webhook listen', /--forward-to is missing/],
  ['webhook listen --forward-to localhost:3000', /--forward-to must be a URL/],
  ['portal link', /--application is missing/],
  ['reservation list --state gone', /--state must be confirmed or cancelled or pending/],
  ['reservation list --from 2027-02-30', /--from must be a date that exists/],
  ['reservation list --from 0000-01-01', /--from must be a date .* in the years 1900 to 8999/],
  [`${change} --check-out 9999-12-31`, /--check-out must be a date .* in the years 1900 to 8999/],
  ['reservation list --limit 501', /--limit must be an integer from 1 to 500/],
  ['reservation show', /--reference is missing/],
  ['reservation cancel --reference LK-1234-5678', /--reason is missing/],
  [`${cancel} --refund half`, /--refund must be policy, none, or an amount in minor units/],
  [`${cancel} --refund=-1`, /--refund must be policy, none, or an amount/],
  [`${cancel} --refund 12.50`, /--refund must be policy, none, or an amount/],
  [`${cancel} --dry-run=yes`, /--dry-run/],
  [`${change} --check-in 2027-03-02 --check-out 2027-03-01`, /--check-out must be after/],
  [`${change} --adults 0`, /--adults must be an integer from 1 to 99/],
  [`${change} --pets 100`, /--pets must be an integer from 0 to 99/],
  [`${change} --check-in tomorrow`, /--check-in must be a date that exists/],
  [`${change} --price free`, /--price must be keep or recalculate/],
  [`${change} --expected-version 0`, /--expected-version must be an integer from 1/],
  [`${refund} --expected-due=-1`, /--expected-due must be an integer from 0/],
  ['checkout list --state failed', /--state must be uncertain/],
  ['checkout show --checkout 17', /--checkout must be a UUID, as `checkout list` shows it/],
  [`checkout resolve --checkout ${id} --as expired --reason x`, /--as must be confirmed or failed/],
  ['audit list --actor=', /--actor is empty/],
  ['audit list --action key', /--action does not know "key": the actions are application.create,/],
  ['audit list --from today', /--from must be a date that exists/],
  ['audit list --until 2027-02-30', /--until must be a date that exists/],
  ['catalog import', /FILE is missing/],
  ['catalog import a.json b.json', /Unexpected argument 'b\.json'/],
  ['catalog import a.json --replace=yes', /--replace/],
  ['catalog import a.json --catalog My_Homes', /--catalog must be a slug/],
  ['catalog import --file a.json', /Unknown option '--file'/],
  ['catalog export a.json', /Unexpected argument 'a\.json'/],
  ['catalog generate', /--listings is missing.*\n.*--seed is missing/],
  ['catalog generate --listings 0 --seed 1', /--listings must be an integer from 1 to 1000000/],
  ['catalog generate --listings 5 --seed -1', /--seed/],
  ['catalog generate --listings 5 --seed 1 --from 2027-02-30', /--from must be a date/],
  ['block add --listing a --from 2027-03-01 --to 2027-03-01', /--to must be after --from/],
  ['block add --listing a --from 2027-02-30 --to 2027-03-01', /--from must be a date that exists/],
  ['block remove --block 17', /--block must be a UUID, as `block list` shows it/],
  ['rate import', /FILE is missing/],
];

describe('wrong usage', () => {
  let installation: Installation;
  before(async () => {
    installation = await newInstallation();
  });
  after(() => installation.remove());

  for (const [line, problem] of misuses) {
    // Spec: OPERATOR-6.
    it(`exits with 2 and the usage: latchkey ${line.slice(0, 90)}`, async () => {
      const { exitCode, stdout, stderr } = await installation.latchkey(argumentsOf(line));
      assert.deepEqual([exitCode, stdout], [2, '']);
      assert.match(stderr, problem);
      assert.match(stderr, /^Usage: latchkey /m);
    });
  }

  it('is what the process ends with', async () => {
    const words = ['application', 'list', 'extra'];
    const ended = await installation.process(words);
    assert.equal(ended.exitCode, 2);
    assert.deepEqual(ended, await installation.latchkey(words));
  });

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
  const within = (noun: string, { verbs, nouns: inner = {} }: Noun): NamedCommand[] => [
    ...Object.entries(verbs).map(([verb, command]) => ({ noun, verb, command })),
    ...Object.entries(inner).flatMap(([name, one]) => within(`${noun} ${name}`, one)),
  ];
  const commands = Object.entries(nouns).flatMap(([name, noun]) => within(name, noun));

  it('lists every command, by word and by flag', async () => {
    const usage = await helped('help');
    assert.equal(await helped('--help'), usage);
    assert.equal(await helped('-h'), usage);
    for (const { noun, verb } of commands)
      assert.match(usage, new RegExp(`^ +${calledAs(noun, verb)} `, 'm'));
  });

  it('lists the verbs of a noun', async () => {
    const usage = await helped('help', 'key');
    assert.equal(await helped('key', '--help'), usage);
    for (const verb of ['issue', 'list', 'revoke']) assert.match(usage, new RegExp(`key ${verb} `));
    assert.doesNotMatch(usage, /application create/);
  });

  it('lists what comes after a noun, and after that', async () => {
    const usage = await helped('help', 'webhook');
    for (const line of ['webhook endpoint add', 'webhook delivery replay', 'webhook listen']) {
      assert.match(usage, new RegExp(`^ +${line} `, 'm'));
    }
    const inner = await helped('webhook', 'endpoint', '--help');
    assert.match(inner, /webhook endpoint rotate-secret /);
    assert.doesNotMatch(inner, /webhook delivery/);
  });

  it('shows every flag of every command', async () => {
    for (const { noun, verb, command } of commands) {
      const words = calledAs(noun, verb).split(' ');
      const usage = await helped(...words, '--help');
      assert.equal(await helped('help', ...words), usage);
      for (const flag of [...Object.keys(command.flags), 'json', 'help']) {
        const { placeholder = '' } = command.flags[flag]?.kind ?? {};
        const shown = flag === command.argument ? placeholder : `--${flag}`;
        assert.match(
          usage,
          new RegExp(`^ +${RegExp.escape(shown)} `, 'm'),
          `${noun} ${verb} ${shown}`,
        );
      }
    }
  });

  it('describes every flag', () => {
    const silent = commands.flatMap(({ noun, verb, command }) =>
      Object.entries(command.flags)
        .filter(([, { description }]) => description === '')
        .map(([flag]) => `${noun} ${verb} --${flag}`),
    );
    assert.deepEqual(silent, []);
  });

  it('stands in the guide, flag by flag', async () => {
    const guide = await readFile(
      new URL('../../docs/operators/command-line.md', import.meta.url),
      'utf8',
    );
    for (const { noun, verb, command } of commands) {
      const [, section = ''] = guide.split(`### \`${calledAs(noun, verb)}\``);
      assert.notEqual(section, '', `${noun} ${verb}`);
      const [body = ''] = section.split('\n#');
      for (const [flag, { kind }] of Object.entries(command.flags)) {
        const asArgument = `\`${kind.placeholder.replaceAll('|', '\\|')}\``;
        const isThere =
          body.includes(`\`--${flag}`) || (flag === command.argument && body.includes(asArgument));
        assert.ok(isThere, `${noun} ${verb} --${flag}`);
      }
    }
  });

  it('shows the version', async () => {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    assert.equal(await helped('--version'), `${version}\n`);
    const ended = await installation.process(['--version']);
    assert.deepEqual(ended, { exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });
});
