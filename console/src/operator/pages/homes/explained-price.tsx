import { Alert, List, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { instantText } from '../../../base/words/dates.ts';
import { counted } from '../../../base/words/plural.ts';
import { moneyText } from '../../../base/words/money.ts';
import type { DraftPrice } from '../../api/homes-types.ts';
import { dayText } from '../../words/days.ts';

type Charges = NonNullable<DraftPrice['charges']>;
type Explained = NonNullable<DraftPrice['explained']>;
type Line = Explained['lines'][number];
type Night = Explained['nights'][number];
type Money = (amount: number) => string;

interface ExplainedProps {
  price: DraftPrice;
  /** Of the home. */
  timeZone: string;
}

const percentText = (percent: number): string => `${percent.toLocaleString('en', percentDigits)} %`;
const percentDigits = { maximumFractionDigits: 4 };

const units: Readonly<Record<string, string>> = {
  stay: 'for the stay',
  night: 'a night',
  guest: 'a guest',
  guest_night: 'a guest and night',
  pet: 'a pet',
  pet_night: 'a pet and night',
};

const notCharged: Readonly<Record<string, string>> = {
  nights_of_stay: 'not for a stay of so many nights',
  days_ahead: 'not for a stay so many days ahead',
  no_night: 'none of the nights',
  no_guest: 'none of the guests',
  no_pet: 'no pet',
  nothing: 'nothing to charge',
};

/** What a line was calculated from: `5 % of EUR 920.00 · at most EUR 2.30 · 2 guests · 5 nights`. */
function lineText(line: Line, money: Money): string {
  const { percent, base, unit, per, maxAmount, guests, nights, pets } = line;
  const of = base === null ? '' : ` of ${money(base)}`;
  const parts = [
    percent !== null && `${percentText(percent)}${of}`,
    percent !== null && per !== null && (units[per] ?? per),
    unit !== null && `${money(unit)} ${units[per ?? ''] ?? ''}`,
    percent === null && unit === null && per !== null && `in steps, ${units[per] ?? per}`,
    maxAmount !== null && `at most ${money(maxAmount)}`,
    guests !== null && counted(guests, 'guest'),
    pets !== null && counted(pets, 'pet'),
    nights !== null && counted(nights, 'night'),
    line.isIncluded && 'contained in the prices',
    line.atProperty && 'paid at the property',
    line.notCharged !== null && notCharged[line.notCharged],
  ];
  return parts.filter((part) => part !== false && part !== '').join(' · ');
}

/** Where the price of a night comes from: `Summer: EUR 180.00 + 35 %`. */
function nightText({ layer, name, member, changePercent, base }: Night, money: Money) {
  const layerText = layer === 'dates' ? 'Dates' : layer === 'season' ? (name ?? '') : 'Base price';
  if (changePercent !== null && base !== null) {
    const sign = changePercent < 0 ? '−' : '+';
    return `${layerText}: ${money(base)} ${sign} ${percentText(Math.abs(changePercent))}`;
  }
  return member === 'weekdays' ? `${layerText}, this weekday` : layerText;
}

const Row = ({
  text,
  about,
  amount,
  isBold = false,
}: {
  text: ReactNode;
  about?: string;
  amount: string;
  isBold?: boolean;
}) => (
  <Table.Tr {...(isBold && { fw: 700 })}>
    <Table.Td className="break">
      {text}
      {about && (
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      )}
    </Table.Td>
    <Table.Td ta="end" className="price-amount">
      {amount}
    </Table.Td>
  </Table.Tr>
);

const keyOf = ({ rule, kind, label, percent }: Line): string =>
  rule ?? `${kind} ${label} ${percent}`;

const kinds: Readonly<Record<string, string>> = { cleaning: 'cleaning', fee: 'fee', tax: 'tax' };

/** The label with its kind, if the label does not say it. */
const labelOf = ({ kind, label }: Line): string => {
  const word = kinds[kind];
  return word === undefined || label.toLowerCase().includes(word) ? label : `${label} (${word})`;
};

function Lines({ lines, charges, money }: { lines: Line[]; charges: Charges; money: Money }) {
  const added = lines.filter(({ isIncluded, notCharged: why }) => !isIncluded && why === null);
  const contained = lines.filter(({ isIncluded, notCharged: why }) => isIncluded && why === null);
  return (
    <Table verticalSpacing={4} fz="sm" aria-label="Lines of the price">
      <Table.Tbody>
        {added.map((line) => (
          <Row
            key={keyOf(line)}
            text={labelOf(line)}
            about={lineText(line, money)}
            amount={money(line.amount)}
          />
        ))}
        <Row text="Total" amount={money(charges.total)} isBold />
        {contained.map((line) => (
          <Row
            key={keyOf(line)}
            text={labelOf(line)}
            about={lineText(line, money)}
            amount={money(line.amount)}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

const Payments = ({ charges, money }: { charges: Charges; money: Money }) => (
  <Table verticalSpacing={4} fz="sm" aria-label="Payments">
    <Table.Tbody>
      {charges.schedule.map(({ dueOn, amount, at }) => (
        <Row
          key={`${dueOn} ${at}`}
          text={`Due ${dayText(dueOn)}`}
          {...(at && { about: 'at the property' })}
          amount={money(amount)}
        />
      ))}
    </Table.Tbody>
  </Table>
);

const Nights = ({ nights, money }: { nights: Night[]; money: Money }) => (
  <details className="home-more">
    <summary>{counted(nights.length, 'night')}, one by one</summary>
    <Table verticalSpacing={2} fz="sm" aria-label="Nights">
      <Table.Tbody>
        {nights.map((night) => (
          <Row
            key={night.date}
            text={dayText(night.date)}
            about={nightText(night, money)}
            amount={money(night.amount)}
          />
        ))}
      </Table.Tbody>
    </Table>
  </details>
);

const NotCharged = ({ lines, money }: { lines: Line[]; money: Money }) => (
  <details className="home-more">
    <summary>{counted(lines.length, 'line')} not charged</summary>
    <List size="sm">
      {lines.map((line) => (
        <List.Item key={keyOf(line)}>
          {labelOf(line)}
          <Text size="xs" c="dimmed">
            {lineText(line, money)}
          </Text>
        </List.Item>
      ))}
    </List>
  </details>
);

function Terms({
  price: { cancellation, securityDeposit },
  timeZone,
  money,
}: ExplainedProps & { money: Money }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        Cancellation
      </Text>
      {cancellation.length === 0 && <Text size="sm">Nothing is refunded.</Text>}
      {cancellation.map(({ before, refundAmount }) => (
        <Text size="sm" key={before}>
          Before {instantText(before, timeZone)}: {money(refundAmount)}
        </Text>
      ))}
      {securityDeposit && (
        <Text size="sm">
          Security deposit: {money(securityDeposit.amount)}, due {dayText(securityDeposit.dueOn)},
          returned by {dayText(securityDeposit.returnedBy)}
        </Text>
      )}
    </Stack>
  );
}

/** A price with what each of its lines was calculated from. */
export function ExplainedPrice({ price, timeZone }: ExplainedProps) {
  const { charges, explained, broken } = price;
  const money: Money = (amount) => moneyText(amount, charges?.currency ?? '');
  const unused = explained?.lines.filter((line) => line.notCharged !== null) ?? [];
  return (
    <Stack gap="sm">
      {broken.length > 0 && (
        <Alert color="yellow" variant="light" title="Partners cannot book this stay">
          <List size="sm">
            {broken.map(({ rule, message }) => (
              <List.Item key={rule}>{message}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {charges && explained ? (
        <>
          <Lines lines={explained.lines} charges={charges} money={money} />
          <Nights nights={explained.nights} money={money} />
          {unused.length > 0 && <NotCharged lines={unused} money={money} />}
          <Payments charges={charges} money={money} />
          <Terms price={price} timeZone={timeZone} money={money} />
        </>
      ) : (
        <Text size="sm">A night has no price, so this stay cannot be quoted.</Text>
      )}
    </Stack>
  );
}
