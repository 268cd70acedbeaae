/** The command that verifies reports of conformance runs: it reads files. */
import { readFile } from 'node:fs/promises';
import type { JSONWebKeySet } from 'jose';
import { findApplication, publicSigningKeys } from '../access/index.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseConflict } from '../contract/operator/errors.ts';
import { contractDigest, verifyReport } from '../sandbox/index.ts';
import { application } from './application-flag.ts';
import { sizeOf } from './catalog-commands.ts';
import { command, type CommandContext } from './command.ts';
import * as kinds from './flag-kinds.ts';

const largestBytes = 4 * 1024 * 1024;

async function textOf(name: string): Promise<string | Refusal<'conflict'>> {
  const bytes = await sizeOf(name);
  if (isRefusal(bytes)) return bytes;
  if (bytes > largestBytes) return refuseConflict(`${name} is no report: it is too large.`);
  return readFile(name, 'utf8');
}

const isKeySet = (value: unknown): value is JSONWebKeySet =>
  typeof value === 'object' && value !== null && Array.isArray((value as JSONWebKeySet).keys);

async function keysIn(name: string): Promise<JSONWebKeySet | Refusal<'conflict'>> {
  const text = await textOf(name);
  if (isRefusal(text)) return text;
  try {
    const keys: unknown = JSON.parse(text);
    if (isKeySet(keys)) return keys;
  } catch {
    // Refused below.
  }
  return refuseConflict(`${name} is no set of keys (JWKS).`);
}

/** The keys that count: those of the file, or of this installation if it is a sandbox. */
async function trustedKeys(
  { database, environment }: CommandContext,
  jwks: string | undefined,
): Promise<JSONWebKeySet | Refusal<'conflict'>> {
  if (jwks !== undefined) return keysIn(jwks);
  if (environment === 'simulation') return publicSigningKeys(database);
  return refuseConflict('Name the keys of the sandbox with --jwks.');
}

const verbs = {
  verify: command({
    summary:
      'Verifies the report of a conformance run: signed, passed, and of the served contract.',
    description: 'In live, a verified report is what an application with --require-report needs.',
    flags: {
      file: { kind: kinds.line('FILE', 4_096), required: true, description: 'The report.' },
      application,
      jwks: {
        kind: kinds.line('FILE', 4_096),
        required: false,
        description:
          'The keys of the sandbox, from its /.well-known/jwks.json; in the simulation, its own.',
      },
    },
    argument: 'file',
    changesApplication: false,
    async run(context, { file, application: applicationId, jwks }) {
      const { database, actor, environment } = context;
      const report = await textOf(file);
      if (isRefusal(report)) return report;
      const keys = await trustedKeys(context, jwks);
      if (isRefusal(keys)) return keys;
      const found = (await findApplication(database, applicationId))!;
      const isOwn = environment === 'simulation' && jwks === undefined;
      const given = { report, keys, contractDigest: contractDigest(), isOwn };
      const verified = await verifyReport(database, actor, found, given);
      return isRefusal(verified) ? verified : { document: verified };
    },
  }),
};

/** Conformance runs. */
export const conformanceCommands = { conformance: verbs };
