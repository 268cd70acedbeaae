import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = new URL('../../', import.meta.url);

/** What the recommended rules of redocly say of a document in the root. */
export async function lintDocument(file: string): Promise<{ totals: object; problems: unknown[] }> {
  const cli = fileURLToPath(new URL('node_modules/@redocly/cli/bin/cli.js', root));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, 'lint', file, '--extends=recommended', '--format=json'],
    {
      cwd: fileURLToPath(root),
      env: {
        ...process.env,
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
        NO_COLOR: '1',
      },
    },
  );
  return JSON.parse(stdout) as { totals: object; problems: unknown[] };
}
