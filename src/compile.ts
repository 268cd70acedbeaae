/** Compiles all modules after the installation, so that the first start finds them in the compile cache. */
import { useCompileCache } from './compile-cache.ts';

useCompileCache();
await Promise.all([
  import('./run-service.ts'),
  import('./cli/run-command-line.ts'),
  import('./metrics.ts'),
]);
