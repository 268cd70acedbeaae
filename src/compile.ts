/** Compiles all modules after the installation, so that the first start finds them in the compile cache. */
import { useCompileCache } from './compile-cache.ts';
import { joinTypebox } from './join-typebox.ts';
import { useJoinedTypebox } from './joined-typebox.ts';

await joinTypebox();
useCompileCache();
useJoinedTypebox();
await Promise.all([
  import('./run-service.ts'),
  import('./cli/run-command-line.ts'),
  import('./metrics.ts'),
]);
