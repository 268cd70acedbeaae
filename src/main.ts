/** The service. Its modules are imported after the compile cache is in use. */
import { useCompileCache } from './compile-cache.ts';

useCompileCache();
const { runService } = await import('./run-service.ts');
await runService();
