/** The texts that depend on what is asked: which function makes them, and what it is asked in use. */
import { reservationStates } from '../contract/states.ts';

/** What a module declares at its top level, by name. */
// The types of private functions are not known outside their module; a wrong name or argument fails in `generate`.
// oxlint-disable-next-line typescript/no-explicit-any
export type Declared = Readonly<Record<string, any>>;

/** Reads what another module declares. */
export type Open = (file: string) => Promise<Declared>;

/** Makes the texts of a module: statements, and lists of them. */
type Variants = (declared: Declared, open: Open) => unknown;

const keysOf = (table: object): string[] => Object.keys(table);

/** All applications, and one. */
const scopes = [{}, { applicationId: '' }];

const changeRequestFilters = [{}, { reference: '' }].flatMap((filter) => [
  filter,
  { ...filter, state: 'open' },
]);

/** By the path of the module below `src`. Where filters can be combined freely: none, each alone, and all. */
export const variants: Readonly<Record<string, Variants>> = {
  'attention/store/waiting.ts': async ({ statementOf, countStatement }, open) => {
    const { attentionSources } = await open('attention/sources.ts');
    const aboutMoney = attentionSources.filter(({ isMoney }: { isMoney: boolean }) => isMoney);
    return [...attentionSources.map(statementOf), countStatement(aboutMoney)];
  },
  'bookings/store/change-requests.ts': ({ ownStatement, listStatement }) => [
    ...changeRequestFilters.map(ownStatement),
    ...changeRequestFilters.map(listStatement),
  ],
  'bookings/store/guest-bookings.ts': ({ sources, findStatement }) =>
    keysOf(sources).map(findStatement),
  'bookings/store/overview.ts': ({ nearStatement }) => ['check_in', 'check_out'].map(nearStatement),
  'bookings/store/search-bookings.ts': ({ sources, statementOf }) =>
    keysOf(sources).map(statementOf),
  'bookings/store/staff-reservations.ts': ({ sources, comparisons, listStatement }) => [
    ...[undefined, ...reservationStates].map((state) => listStatement(undefined, [], { state })),
    ...keysOf(sources).map((source) =>
      listStatement(source, [], { recordsRefused: source === 'recordsRefused' }),
    ),
    ...keysOf(comparisons).map((name) => listStatement(undefined, [name], {})),
    listStatement(undefined, ['applicationId'], { state: 'cancelled' }),
    listStatement('recordsRefused', keysOf(comparisons), {
      state: 'confirmed',
      recordsRefused: true,
    }),
  ],
  'bookings/store/transition-statement.ts': async ({ transitionStatement }, open) => {
    const { transitionsInUse } = await open('bookings/store/transitions-in-use.ts');
    return transitionsInUse().map((clauses: unknown) => transitionStatement(clauses, {}).statement);
  },
  'payments/store/accounts-in-full.ts': ({ listStatement }) =>
    [true, false].flatMap((needsAttention) =>
      scopes.map((scope) => listStatement({ needsAttention, ...scope })),
    ),
  'platform/audit/audit-entries.ts': ({ filterNames, listStatement, untilStatement }) =>
    [
      [],
      ...filterNames.map((name: string) => [name]),
      ['from', 'until'],
      ['action', 'from', 'until'],
      filterNames,
    ].flatMap((given) => [listStatement(given), untilStatement(given)]),
  'platform/postgres/sealed-columns.ts': async ({ readStatement, writeStatement }, open) => {
    const { sealedColumns } = await open('operator/master-key.ts');
    return sealedColumns.flatMap((column: unknown) => [
      readStatement(column, true),
      readStatement(column, false),
      writeStatement(column),
    ]);
  },
  'platform/postgres/sweep-by-age.ts': ({ aged, statementFor }) => keysOf(aged).map(statementFor),
  'sign-in/store/members.ts': ({ changes, setStatement }) => keysOf(changes).map(setStatement),
  'signals/store/funnel.ts': (declared) =>
    ['weeksStatement', 'applicationsStatement', 'refusalsStatement'].flatMap((name) =>
      scopes.map(declared[name]),
    ),
};
