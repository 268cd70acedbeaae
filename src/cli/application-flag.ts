import { findApplicationByIdOrName } from '../access/index.ts';
import { limits } from '../contract/limits.ts';
import type { FlagKind } from './command.ts';
import * as kinds from './flag-kinds.ts';

const idOrName: FlagKind<string> = {
  ...kinds.line('ID|NAME', limits.nameLength),
  resolve: async (executor, text) =>
    (await findApplicationByIdOrName(executor, text)).applicationId,
};

/** Names an application, wherever a command is about one. The value is its ID. */
export const application = {
  kind: idOrName,
  required: true,
  description: 'The application, by its ID or, if no other has it, its name.',
} as const;
