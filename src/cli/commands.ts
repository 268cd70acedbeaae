/** The table of commands. Parsing, help and execution use it. */
import { operatorOperations as operatorRows } from '../contract/operator/operations.ts';
import { operatorOperations } from '../operator/index.ts';
import { catalogCommands } from './catalog-commands.ts';
import { channelCommands } from './channel-commands.ts';
import { conformanceCommands } from './conformance-commands.ts';
import { masterKeyCommands } from './master-key-commands.ts';
import { type Commands, nounsOf } from './nouns.ts';
import { paymentCommands } from './payment-commands.ts';
import { pictureCommands } from './picture-commands.ts';
import { commandsOf } from './row-commands.ts';
import { webhookCommands } from './webhook-commands.ts';

const ofRows = commandsOf(operatorRows, operatorOperations);

/** The commands that are written by hand, or do more than their row. */
const byHand: Commands = {
  ...catalogCommands,
  ...pictureCommands,
  ...channelCommands,
  ...webhookCommands,
  ...conformanceCommands,
  ...masterKeyCommands,
  ...paymentCommands(ofRows.payment!['list']!),
};

/** Every noun with its verbs. */
export const nouns = nounsOf(ofRows, byHand);
