import { findApplicationByIdOrName } from '../access/index.ts';
import { isRefusal } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import type { FlagKind } from './command.ts';
import * as kinds from './flag-kinds.ts';

/** An application, by its ID or name. The value is its ID. */
export const applicationKind: FlagKind<string> = {
  ...kinds.line('ID|NAME', limits.nameLength),
  async resolve(executor, text) {
    const found = await findApplicationByIdOrName(executor, text);
    return isRefusal(found) ? found : found.applicationId;
  },
};

/** Names an application, wherever a command is about one. */
export const application = {
  kind: applicationKind,
  required: true,
  description: 'The application, by its ID or, if no other has it, its name.',
} as const;
