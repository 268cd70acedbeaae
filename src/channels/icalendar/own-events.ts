import type { Vault, VaultKey } from '../../platform/vault.ts';

/**
 * The domain of the UIDs in the calendars of this installation. Other channels may send our events back to us,
 * where they are recognized by it. It changes only with the master key, and no other installation has it.
 */
export const ownDomain = (key: VaultKey): string =>
  `${key.mac('calendar', 'domain').toString('hex').slice(0, 20)}.latchkey`;

/** The domains of the UIDs that channels may still have from us. */
export const ownDomains = ({ keys }: Vault): string[] => keys.map(ownDomain);
