import { roles } from '#contract/operator/roles.ts';

/** The roles, as choices of a field. */
export const roleChoices = roles.map((role) => ({ value: role, label: role }));
