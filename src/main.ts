/** The service. Its modules are imported after the compile cache is in use. */
import { importProgram } from './build/bundled.ts';
import { useCompileCache } from './build/compile-cache.ts';

useCompileCache();
const { runService } = await importProgram('program/run-service');
await runService();
