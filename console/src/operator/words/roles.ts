/** The roles of staff, and what each may do. */
import { type OperatorScope, type Role, roles, scopesOfRole } from '#contract/operator/roles.ts';

const names: Readonly<Record<Role, string>> = {
  administrator: 'Administrator',
  reservations: 'Reservations',
  content: 'Homes and rates',
  finance: 'Finance',
  viewer: 'Viewer',
};

const scopeWords: Readonly<Record<OperatorScope, string>> = {
  read: 'look at everything',
  reservations: 'make, change and cancel reservations, and block nights',
  money: 'move money',
  inventory: 'change homes, prices, promotions and calendars',
  partners: 'register and change partners',
  staff: 'invite people and change their roles',
};

const isRole = (role: string): role is Role => role in names;

/** The name of a role. */
export const roleName = (role: string): string => (isRole(role) ? names[role] : role);

const joined = (scopes: readonly OperatorScope[]): string =>
  scopes.map((scope) => scopeWords[scope]).join('; ');

/** What a role may do. */
export const roleText = (role: Role): string => joined(scopesOfRole[role]);

/** What somebody gains and loses with another role. */
export function changeOfRole(before: Role, after: Role): { gains: string; loses: string } {
  const [old, next] = [scopesOfRole[before], scopesOfRole[after]];
  return {
    gains: joined(next.filter((scope) => !old.includes(scope))),
    loses: joined(old.filter((scope) => !next.includes(scope))),
  };
}

/** The roles, as choices of a field. */
export const roleChoices = roles.map((role) => ({ value: role, label: names[role] }));
