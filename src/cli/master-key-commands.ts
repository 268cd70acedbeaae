/** The commands of the master key: they work on everything that is sealed, which takes longer than a call may. */
import { isRefusal } from '../contract/errors.ts';
import { retireMasterKeys, rotateMasterKey, showMasterKeys } from '../operator/index.ts';
import { command, type CommandContext } from './command.ts';
import * as kinds from './flag-kinds.ts';

const flags = {
  'dry-run': {
    kind: kinds.withoutValue,
    required: false,
    description: 'Show what would happen, and change nothing.',
  },
} as const;

type Act = typeof rotateMasterKey | typeof retireMasterKeys;

const run =
  (act: Act, note: string) =>
  async (
    { database, actor }: CommandContext,
    { 'dry-run': dryRun = false }: { 'dry-run': boolean | undefined },
  ) => {
    const done = await act(database, actor, dryRun);
    if (isRefusal(done)) return done;
    return { document: done, note: dryRun ? 'This is a preview: nothing has changed.' : note };
  };

const verbs = {
  rotate: command({
    summary: 'Seals everything with the first master key that an earlier one has sealed.',
    description:
      'Services go on meanwhile. It can be interrupted and run again. What was handed out stays valid until master-key retire.',
    flags,
    changesApplication: false,
    run: run(rotateMasterKey, 'The earlier key still counts: end it with master-key retire.'),
  }),
  retire: command({
    summary: 'Ends what earlier master keys have made, and says what that is.',
    description:
      'Refused while something is still sealed with an earlier key. Afterwards its line may go from the settings.',
    flags,
    changesApplication: false,
    run: run(retireMasterKeys, 'The lines of the retired keys may go from the settings.'),
  }),
  show: command({
    summary: 'Shows the master keys that the database has seen, by the start of a digest.',
    flags: {},
    changesApplication: false,
    run: async ({ database }) => ({ document: await showMasterKeys(database) }),
  }),
};

/** The master key. */
export const masterKeyCommands = { 'master-key': verbs };
