import { LRUCache } from 'lru-cache';
import type { VaultKey } from '../platform/vault.ts';

/**
 * Makes a function that remembers what a master key derives from texts. Each key has its own memory.
 */
export function derivedByKey<Derived extends object | string>(
  mostKept: number,
  derive: (key: VaultKey, text: string) => Derived,
): (key: VaultKey, text: string) => Derived {
  const derivedBy = new WeakMap<VaultKey, LRUCache<string, Derived>>();

  function derivedWith(key: VaultKey): LRUCache<string, Derived> {
    const known = derivedBy.get(key);
    if (known) return known;
    // `max` would allocate all entries at the start.
    const derived = new LRUCache<string, Derived>({ maxSize: mostKept, sizeCalculation: () => 1 });
    derivedBy.set(key, derived);
    return derived;
  }

  return (key, text) => {
    const all = derivedWith(key);
    const known = all.get(text);
    if (known !== undefined) return known;
    const derived = derive(key, text);
    all.set(text, derived);
    return derived;
  };
}
