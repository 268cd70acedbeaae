import { type CommonOwnErrorCode, ownErrors } from '../own-errors.ts';

/** The error codes of the sandbox: a subset of the contract's. */
export type SandboxErrorCode =
  | CommonOwnErrorCode
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'invalid_state'
  | 'policy_restricted';

/** The values of `error.details.reason` in the sandbox, with their meaning. */
export const sandboxReasons = {
  conflict: {
    no_effect: 'The reservation is like that already: nothing would change.',
    nights_taken: 'Nights of that stay are taken.',
    run_open: 'Another run is open: finish it or delete it. `runId` names it.',
  },
  invalid_state: {
    reservation_not_confirmed: 'The reservation is not confirmed.',
    no_endpoint: 'The application has no active endpoint.',
    scenario_running: 'Another scenario of the run is running: finish it first.',
    scenario_not_running: 'The scenario is not running: start it first.',
    run_final: 'The run has ended.',
    run_open: 'The run has not ended: finish it first.',
    skipped: 'The scenario is not part of this run.',
  },
  policy_restricted: {
    profile: 'The settlement of the application does not allow this profile.',
  },
} as const satisfies Partial<Record<SandboxErrorCode, Record<string, string>>>;

/** Makes a refusal of the sandbox. The compiler checks the reason against the code. */
export const {
  refuse: refuseSandbox,
  messageOf: sandboxMessage,
  reasonText: sandboxReasonText,
} = ownErrors<SandboxErrorCode, typeof sandboxReasons>({}, sandboxReasons);
