/** The commands about the money of reservations. */
import { listMoneyWaiting } from '../attention/index.ts';
import { reconcilePayments } from '../payments/index.ts';
import { isRefusal } from '../contract/errors.ts';
import { operatorOperations } from '../contract/operator/operations.ts';
import { command, type WorkingCommand } from './command.ts';
import * as kinds from './flag-kinds.ts';

const { columns: waiting } = operatorOperations['operator.attention.list'].command;

/** The command of the list, which prints another one where only what waits for staff is asked for. */
const listOf = (list: WorkingCommand): WorkingCommand => ({
  ...list,
  run: async (context, values: Readonly<Record<string, unknown>>) =>
    values['needs-attention'] === true
      ? { document: await listMoneyWaiting(context.database), columns: waiting }
      : list.run(context, values as never),
});

const reconcile = {
  reconcile: command({
    summary:
      'Compares every payment since a day with the card provider, and names each difference.',
    flags: {
      since: {
        kind: kinds.date,
        required: true,
        description: 'The first day of the payments, in UTC.',
      },
    },
    changesApplication: false,
    async run({ database, openProvider, ending }, { since }) {
      const context = { executor: database, provider: await openProvider(), signal: ending };
      const compared = await reconcilePayments(context, Date.parse(`${since}T00:00:00Z`));
      if (isRefusal(compared)) return compared;
      const { differences } = compared;
      return {
        document: { differences },
        note: differences.length === 0 ? 'Both sides agree.' : undefined,
      };
    },
  }),
};

/** The commands about the money of reservations that do more than their row. */
export const paymentCommands = (list: WorkingCommand) => ({
  payment: { ...reconcile, list: listOf(list) },
});
