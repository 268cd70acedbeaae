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

/** The commands that are written by hand. */
const byHand: Commands = {
  ...catalogCommands,
  ...pictureCommands,
  ...channelCommands,
  ...webhookCommands,
  ...conformanceCommands,
  ...masterKeyCommands,
  ...paymentCommands,
};

/** Every noun with its verbs. */
export const nouns = nounsOf(byHand, commandsOf(operatorRows, operatorOperations));
