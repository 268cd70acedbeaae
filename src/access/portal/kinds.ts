import { kindsFor } from '../../api/kinds.ts';
import type { CommonOwnErrorCode } from '../../contract/own-errors.ts';
import type { portalOperations } from '../../contract/portal/operations.ts';
import type { PortalActor, PortalContext } from './context.ts';

/** The kinds of operation of a subject, bound to the portal's table. */
export const portalKinds = <Context extends PortalContext>() =>
  kindsFor<typeof portalOperations, Context, PortalActor, CommonOwnErrorCode>();

export const { act, enter } = portalKinds<PortalContext>();
