/** The states of applications and keys. */
export const stateLabels = {
  active: { name: 'active', color: 'teal' },
  suspended: { name: 'suspended', color: 'red' },
} as const;
