/** The paths of the members that an error calls wrong. */
export const wrongPaths = ({ details }: { details?: unknown }): string[] =>
  (details as { fields: { path: string }[] }).fields.map(({ path }) => path);
