import path from 'node:path';
import type { Config } from '../config/config.ts';
import type { SandboxCredentials } from '../installation/sandbox-credentials.ts';

/** The welcome text of a process without an API. */
export const workerWelcome = '\n  Latchkey resolves bookings here and serves no API.\n\n';

/** Quotes an argument for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const addresses = (baseUrl: string): readonly string[] => [
  `    API         ${baseUrl}/v1`,
  `    Documents   ${baseUrl}/docs`,
  `    Contract    ${baseUrl}/openapi.json`,
  '',
];

/** The welcome text of the simulation. */
export function simulationWelcome(config: Config, credentials: SandboxCredentials): string {
  // The path is absolute, so that the command works in any folder.
  const file = path.resolve(config.dataDir, 'sandbox-credentials.json');
  const { baseUrl } = config;
  const [first] = credentials.applications;
  const applications = credentials.applications.map(
    ({ name, settlement, applicationId }) => `    ${applicationId}  ${name} (${settlement})`,
  );
  const key = `node -p 'require(process.argv[1]).applications[0].applicationKey' ${quoted(file)}`;
  const lines = [
    '',
    `  Latchkey serves its simulation at ${baseUrl}`,
    '',
    ...addresses(baseUrl),
    `  Two applications; their keys are in ${file}`,
    '',
    ...applications,
    '',
    '  Get a token:',
    '',
    `    curl -s ${baseUrl}/oauth/token -d grant_type=client_credentials \\`,
    `      -d client_id=${first?.applicationId ?? ''} \\`,
    `      -d client_secret="$(${key})"`,
    '',
    '  Or watch whole bookings, in another terminal: npm run demo',
    '',
    '',
  ];
  return lines.join('\n');
}

const firstSteps: readonly string[] = [
  '  It has no homes yet. In another terminal, with the same environment variables:',
  '',
  '    npm run --silent latchkey -- catalog import examples/harbour-homes/catalog.json',
  '    npm run --silent latchkey -- application create --name "First partner" \\',
  '      --settlement partner --grants catalog,search,quotes,checkout,signals',
  '',
];

/** The welcome text of an environment with the operator's own homes. */
export const ownHomesWelcome = ({ environment, baseUrl }: Config, hasHomes: boolean): string =>
  [
    '',
    `  Latchkey serves the environment ${environment} at ${baseUrl}`,
    '',
    ...addresses(baseUrl),
    ...(hasHomes ? [] : firstSteps),
    `  The guide for operators: ${baseUrl}/docs/operators/own-homes`,
    '',
    '',
  ].join('\n');
