/** The service. Its modules are imported after the compile cache is in use. */
import { importProgram } from './bundled.ts';
import { useCompileCache } from './compile-cache.ts';

useCompileCache();
const { runService } = await importProgram('run-service');
await runService();
