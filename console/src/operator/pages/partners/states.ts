/** The states of applications and keys. */
export const stateLabels = {
  active: { name: 'Active', color: 'teal' },
  suspended: { name: 'Suspended', color: 'red' },
} as const;
