/** `latchkey-partner doctor`: whether an integration can work, and what to do if not. */
import { LatchkeyError, NoAnswerError } from '../client/errors.ts';
import { wireVersion } from '../contract/operations.ts';
import type { Site } from '../contract/types.ts';
import type { CommandContext } from './context.ts';

interface Finding {
  check: string;
  result: 'ok' | 'warning' | 'problem';
  message: string;
}

const ok = (check: string, message: string): Finding => ({ check, result: 'ok', message });
const warning = (check: string, message: string): Finding => ({
  check,
  result: 'warning',
  message,
});
const problem = (check: string, message: string): Finding => ({
  check,
  result: 'problem',
  message,
});

const longestSkewSeconds = 30;

async function reach({
  baseUrl,
  signal,
}: CommandContext): Promise<{ findings: Finding[]; isReached: boolean }> {
  const check = 'reachability';
  const asked = Date.now();
  let response: Response;
  try {
    response = await fetch(new URL('/openapi.json', baseUrl), {
      signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]),
    });
  } catch (error) {
    const { cause } = error as Error;
    const why = cause instanceof Error ? cause.message : (error as Error).message;
    const advice = 'Check LATCHKEY_BASE_URL, your network and whether the service runs.';
    return {
      findings: [problem(check, `${baseUrl} does not respond (${why}). ${advice}`)],
      isReached: false,
    };
  }
  const took = Date.now() - asked;
  const document = (await response.json().catch(() => null)) as {
    info?: { version?: string };
  } | null;
  const version = document?.info?.version;
  if (version === undefined) {
    return {
      findings: [problem(check, `${baseUrl} is another service: it has no /openapi.json.`)],
      isReached: false,
    };
  }
  const skew = Math.round(
    (Date.parse(response.headers.get('date') ?? '') - (asked + took / 2)) / 1000,
  );
  return {
    isReached: true,
    findings: [
      ok(check, `${baseUrl} responds in ${took} ms.`),
      version === wireVersion
        ? ok('contract', `Wire version ${version}, for which this client was made.`)
        : warning(
            'contract',
            `The service speaks ${version}, this client ${wireVersion}: install the client of that version.`,
          ),
      Number.isNaN(skew) || Math.abs(skew) <= longestSkewSeconds
        ? ok('clock', 'Your clock agrees with that of the service.')
        : warning(
            'clock',
            `Your clock is ${Math.abs(skew)} seconds ${skew > 0 ? 'behind' : 'ahead of'} that of the service: webhooks are refused above five minutes. Use NTP.`,
          ),
    ],
  };
}

const keyAdvice = (error: LatchkeyError): string => {
  const reason = (error.error.details as { reason?: string } | undefined)?.reason;
  if (reason === 'suspended') return 'The operator has suspended the application: ask them.';
  return 'Check LATCHKEY_APPLICATION_ID and LATCHKEY_APPLICATION_KEY: a key belongs to one application and one environment, and may have been revoked or have expired.';
};

function sitesFindings({ environment, capabilities }: Site): Finding[] {
  const granted = capabilities.join(', ');
  return [
    ok('key', `The key is accepted, in the environment "${environment}".`),
    capabilities.length > 0
      ? ok('scopes', `The application may: ${granted}.`)
      : warning(
          'scopes',
          'The application may do nothing: ask the operator to grant it something.',
        ),
  ];
}

const fewLeft = 0.1;

/** What the headers `RateLimit-Policy` and `RateLimit` say of the tier of a call. */
function quotaFinding(headers: Headers): Finding {
  const check = 'quotas';
  const policy = /"(\w+)";q=(\d+);w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '');
  const [, left] = /;r=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
  if (!policy || left === undefined) {
    return warning(check, 'The service says no quota: a proxy may remove its headers.');
  }
  const [, tier, quota, seconds] = policy;
  const told = `${left} of ${quota} calls of the tier "${tier}" in ${seconds} seconds are left`;
  return Number(left) < Number(quota) * fewLeft
    ? warning(check, `${told}: another program uses this key, or ask the operator for more.`)
    : ok(check, `${told}. Each tier has its own; every response names that of its call.`);
}

async function catalog({ client, signal }: CommandContext): Promise<Finding> {
  try {
    const { items } = await client.call(
      'distribution.listing.list',
      { query: { limit: 1 } },
      { signal },
    );
    return items.length > 0
      ? ok('catalog', 'The catalog has homes.')
      : warning('catalog', 'The catalog has no homes yet: ask the operator.');
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    return warning('catalog', `The homes cannot be read: ${error.message}`);
  }
}

async function asApplication(context: CommandContext): Promise<Finding[]> {
  const { client, signal } = context;
  try {
    const { body, headers } = await client.reply('distribution.site.get', {}, { signal });
    return [...sitesFindings(body), quotaFinding(headers), await catalog(context)];
  } catch (error) {
    if (error instanceof LatchkeyError && error.status === 403) {
      return [
        ok('key', 'The key is accepted.'),
        warning('scopes', `The site cannot be read: ${error.message}`),
      ];
    }
    if (error instanceof LatchkeyError)
      return [problem('key', `${error.message}. ${keyAdvice(error)}`)];
    if (error instanceof NoAnswerError) return [problem('key', `${error.message}.`)];
    throw error;
  }
}

const marks = { ok: '✓', warning: '!', problem: '✗' } as const;

/** Checks everything and prints each finding with advice. Returns the exit code: 1 if something does not work. */
export async function doctor(context: CommandContext): Promise<number> {
  const { findings, isReached } = await reach(context);
  const all = isReached ? [...findings, ...(await asApplication(context))] : findings;
  for (const { check, result, message } of all)
    context.say(`${marks[result]} ${check}: ${message}`);
  context.show({ findings: all });
  return all.some(({ result }) => result === 'problem') ? 1 : 0;
}
