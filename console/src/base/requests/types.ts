/** The types of logged calls, which portal and console share. */
import type { PortalReplyOf } from '#contract/portal/operations.ts';

export type LoggedRequest = PortalReplyOf<'portal.request.list'>['body']['items'][number];
export type LoggedRequestInFull = PortalReplyOf<'portal.request.get'>['body'];
