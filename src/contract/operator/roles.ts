/** What an operation of the operator's API needs of its caller. */
export const operatorScopes = [
  'read',
  'reservations',
  'money',
  'inventory',
  'partners',
  'staff',
] as const;
export type OperatorScope = (typeof operatorScopes)[number];

/** The roles of staff and of tokens. */
export const roles = ['administrator', 'reservations', 'content', 'finance', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** What each role may do. `reservations` also blocks nights, which are part of its work. Spec: OPERATOR-1. */
export const scopesOfRole: Readonly<Record<Role, readonly OperatorScope[]>> = {
  administrator: operatorScopes,
  reservations: ['read', 'reservations', 'money'],
  content: ['read', 'inventory'],
  finance: ['read', 'money'],
  viewer: ['read'],
};
