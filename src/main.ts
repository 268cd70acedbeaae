/** The service. Its modules are imported after the compile cache and the joined TypeBox are in use. */
import { useCompileCache } from './compile-cache.ts';
import { useJoinedTypebox } from './joined-typebox.ts';

useCompileCache();
useJoinedTypebox();
const { runService } = await import('./run-service.ts');
await runService();
