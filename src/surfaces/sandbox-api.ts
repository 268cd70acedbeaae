import type { Surface } from '../api/surface.ts';
import type { PartnerActor, TokenClaims } from '../access/index.ts';
import {
  sandboxOperations as rows,
  type SandboxOperationId,
} from '../contract/sandbox/operations.ts';
import type { Operation } from '../api/operation.ts';
import { type SandboxContext, sandboxOperations } from '../sandbox/index.ts';
import type { partnerSurface } from './partner-api.ts';

/** The operation of each row of the sandbox's table. A missing one does not compile. */
const operations: { readonly [Id in SandboxOperationId]: Operation<Id, SandboxContext> } =
  sandboxOperations;

/** The sandbox: for partners' own tokens, of any scope, without a quota. Spec: SANDBOX-1. */
export const sandboxSurface = (
  { authenticate, standing }: ReturnType<typeof partnerSurface>,
  context: SandboxContext & { basePath: string },
): Surface<PartnerActor, TokenClaims> => ({
  name: 'sandbox',
  rows,
  operations,
  context,
  basePath: context.basePath,
  authenticate: authenticate as Surface<PartnerActor, TokenClaims>['authenticate'],
  standing,
  sameSite: null,
  quota: {
    consume: () => null,
    repeat: () => null,
    refund: () => undefined,
    debit: () => undefined,
    state: () => null,
  },
});
