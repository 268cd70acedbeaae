import { LRUCache } from 'lru-cache';
import type { Vault } from '../platform/vault.ts';

/**
 * Makes a function that remembers what a vault derives from texts. Each vault has its own keys, so each has its own
 * memory.
 */
export function derivedByVault<Derived extends object | string>(
  mostKept: number,
  derive: (vault: Vault, text: string) => Derived,
): (vault: Vault, text: string) => Derived {
  const derivedBy = new WeakMap<Vault, LRUCache<string, Derived>>();

  function derivedWith(vault: Vault): LRUCache<string, Derived> {
    const known = derivedBy.get(vault);
    if (known) return known;
    // `max` would allocate all entries at the start.
    const derived = new LRUCache<string, Derived>({ maxSize: mostKept, sizeCalculation: () => 1 });
    derivedBy.set(vault, derived);
    return derived;
  }

  return (vault, text) => {
    const all = derivedWith(vault);
    const known = all.get(text);
    if (known !== undefined) return known;
    const derived = derive(vault, text);
    all.set(text, derived);
    return derived;
  };
}
