/** Documents as tables for spreadsheets. Without schemas, because the web pages use them too. */
import type { Static } from 'typebox';
import { type CsvTable, itemsTable } from './csv.ts';
import type { Payouts } from './operator/schemas/payments.ts';
import type { DaySheet, ExportedStays } from './operator/schemas/reservations.ts';
import type { Statement } from './portal/schemas/statements.ts';

/** The columns of exported rows of the ledger. */
export const ledgerColumns = [
  'at',
  'reference',
  'kind',
  'account',
  'amount',
  'currency',
  'providerId',
  'reason',
] as const;

/** Exported rows of the ledger as a table. */
export const ledgerTable = itemsTable(...ledgerColumns);

/** Payouts as a table: a row for each line. */
export const payoutsTable = ({ items }: Static<typeof Payouts>): CsvTable => ({
  head: ['payoutId', 'arrivesOn', 'currency', 'payout', 'kind', 'reference', 'amount', 'fee'],
  rows: items.flatMap(({ payoutId, arrivesOn, currency, amount: payout, lines }) =>
    lines.length === 0
      ? [[payoutId, arrivesOn, currency, payout, null, null, null, null]]
      : lines.map(({ kind, reference, amount, fee }) => [
          payoutId,
          arrivesOn,
          currency,
          payout,
          kind,
          reference,
          amount,
          fee,
        ]),
  ),
});

const deductionsOf = ({
  currency,
  atProperty,
  commission,
  owed,
}: Static<typeof Statement>['currencies'][number]): CsvTable['rows'] => {
  if (owed === null) return [];
  const deductions = [
    [currency, null, 'at_property', null, -atProperty],
    [currency, null, 'commission', null, -(commission ?? 0)],
  ] as const;
  return deductions.filter(([, , , , amount]) => amount !== 0);
};

/**
 * A statement as a table: its lines, and for each currency what is paid at the property and the commission. For a partner
 * that owes something, the amounts of a currency add up to what is owed.
 */
export const statementTable = ({ currencies }: Static<typeof Statement>): CsvTable => ({
  head: ['currency', 'reference', 'kind', 'on', 'amount'],
  rows: currencies.flatMap((sums) => [
    ...sums.lines.map(({ reference, kind, on, amount }) => [
      sums.currency,
      reference,
      kind,
      on,
      amount,
    ]),
    ...deductionsOf(sums),
  ]),
});

const partyColumns = ['adults', 'children', 'infants', 'pets'] as const;

/** A party as columns; the ages of the children are one, and the last of its table, because it came later. */
const partyInColumns = (party: Static<typeof DaySheet>['arrivals'][number]['party']) => ({
  ...Object.fromEntries(partyColumns.map((name) => [name, party[name] ?? 0])),
  childAges: party.childAges?.join(', ') ?? null,
});

const staysAsTable = itemsTable(
  'reference',
  'state',
  'listing',
  'listingName',
  'application',
  'guestName',
  'checkIn',
  'checkOut',
  'nights',
  ...partyColumns,
  'currency',
  'total',
  'confirmedAt',
  'cancelledAt',
  'childAges',
);

/** Exported stays as a table: the guests are columns of their own. */
export const staysTable = ({ items }: Static<typeof ExportedStays>): CsvTable =>
  staysAsTable({
    items: items.map(({ party, ...stay }) => ({
      ...stay,
      ...partyInColumns(party),
    })),
  });

const daySheetLists = ['arrivals', 'departures', 'inHouse'] as const;

const dayAsTable = itemsTable(
  'list',
  'reference',
  'listing',
  'name',
  'guest',
  'phone',
  ...partyColumns,
  'checkIn',
  'checkInFrom',
  'checkOut',
  'checkOutUntil',
  'currency',
  'balance',
  'notes',
  'childAges',
);

/** A day sheet as a table: the list of a stay, and its guests, are columns; its notes are lines of one cell. */
export const daySheetTable = (sheet: Static<typeof DaySheet>): CsvTable =>
  dayAsTable({
    items: daySheetLists.flatMap((list) =>
      sheet[list].map(({ party, notes, ...stay }) => ({
        list,
        ...stay,
        ...partyInColumns(party),
        notes: notes.join('\n'),
      })),
    ),
  });
