import type { Vault } from '../../platform/vault.ts';

/**
 * The domain of the UIDs in the calendars of this installation. Other channels may send our events back to us,
 * where they are recognized by it. It never changes, and no other installation has it.
 */
export const ownDomain = (vault: Vault): string =>
  `${vault.mac('calendar', 'domain').toString('hex').slice(0, 20)}.latchkey`;
