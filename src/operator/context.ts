import type { Environment } from '../contract/wire.ts';
import type { Database } from '../platform/postgres/database.ts';

/** The dependencies of the operator's operations. */
export interface OperatorContext {
  database: Database;
  environment: Environment;
  baseUrl: string;
}
