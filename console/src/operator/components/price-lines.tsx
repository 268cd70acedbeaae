import { Table } from '@mantine/core';
import { moneyText } from '../../base/words/money.ts';

interface Charges {
  currency: string;
  total: number;
  lines: readonly { kind: string; label: string; amount: number }[];
}

/** Every line of a price, and its total. */
export const PriceLines = ({ charges }: { charges: Charges }) => (
  <Table verticalSpacing={4} maw="44rem" aria-label="Price">
    <Table.Tbody>
      {charges.lines.map(({ kind, label, amount }) => (
        <Table.Tr key={`${kind} ${label} ${amount}`}>
          <Table.Td className="break">{label}</Table.Td>
          <Table.Td ta="end" className="price-amount">
            {moneyText(amount, charges.currency)}
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
    <Table.Tfoot>
      <Table.Tr>
        <Table.Th>Total</Table.Th>
        <Table.Th ta="end">{moneyText(charges.total, charges.currency)}</Table.Th>
      </Table.Tr>
    </Table.Tfoot>
  </Table>
);
