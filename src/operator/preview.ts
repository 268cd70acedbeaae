/** The input of a preview. It writes nothing, and so no reason. */
export const preview = { reason: '', dryRun: true } as const;
