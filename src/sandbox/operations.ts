/** The operations of the sandbox: all that the files in `operations` export. */
import { byId } from '../api/operation.ts';
import * as acts from './operations/acts.ts';
import * as deliveries from './operations/deliver.ts';
import * as faults from './operations/faults.ts';
import * as requests from './operations/requests.ts';
import * as runs from './operations/runs.ts';
import * as scenarios from './operations/scenarios.ts';

/** By the ID of their row. */
export const sandboxOperations = byId({
  ...acts,
  ...deliveries,
  ...faults,
  ...requests,
  ...runs,
  ...scenarios,
});
