import { enableCompileCache } from 'node:module';
import path from 'node:path';

/**
 * Keeps compiled modules beside the packages, so that later starts take less time. Only modules that are
 * imported afterwards profit. Without permission to write there, Node compiles them at each start.
 */
export function useCompileCache(): void {
  enableCompileCache(path.join(import.meta.dirname, '../../node_modules/.cache/latchkey'));
}
