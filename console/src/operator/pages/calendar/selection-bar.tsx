import { Button, Group, Kbd, Text } from '@mantine/core';
import { ButtonLink } from '../../../base/components/links.tsx';
import { counted } from '../../../base/words/plural.ts';
import type { Bar, CalendarHome } from '../../api/homes-types.ts';
import { useMay } from '../../frame/session.ts';
import { dayOf, dayText } from '../../words/days.ts';
import type { ChosenNights } from './block-dialog.tsx';
import { barText } from './row.tsx';

/** The nights of a selection. */
export type Nights = Omit<ChosenNights, 'homes'>;
/** What is selected, and what can be done with it. */
export function SelectionBar({
  count,
  home,
  nights,
  bar,
  price,
  isReading,
  blocks,
  isUnblocking,
  onDialog,
  onOpen,
  onBook,
  onUnblock,
  onClear,
}: {
  /** How many homes are selected. */
  count: number;
  /** Of the current cell. Undefined: it is not known yet. */
  home: CalendarHome | undefined;
  nights: Nights;
  bar: Bar | undefined;
  price: string | null;
  isReading: boolean;
  /** How many of the operator's own blocks are selected. */
  blocks: number;
  isUnblocking: boolean;
  onOpen: (reference: string) => void;
  onDialog: (kind: 'block' | 'rates' | 'move') => void;
  onBook: () => void;
  onUnblock: () => void;
  onClear: () => void;
}) {
  const canBlock = useMay('reservations');
  const canSetRates = useMay('inventory');
  const { from, to } = nights;
  const nightCount = dayOf(to) - dayOf(from) + 1;
  const single = count === 1;
  const who = (single && home?.name) || counted(count, 'home');
  return (
    <div className="mc-selection" role="region" aria-label="Selection">
      <div aria-live="polite" className="mc-selection-text">
        <Text size="sm" fw={600}>
          {who} · {dayText(from)}
          {nightCount > 1 && ` – ${dayText(to)}, ${counted(nightCount, 'night')}`}
        </Text>
        <Text size="sm" c="dimmed" className="break">
          {bar ? barText(bar) : price}
        </Text>
      </div>
      <Group gap="xs">
        {bar?.kind === 'stay' && bar.reference && (
          <Button size="xs" onClick={() => onOpen(bar.reference!)}>
            Open the reservation
          </Button>
        )}
        {canBlock && bar?.kind === 'stay' && (
          <Button size="xs" onClick={() => onDialog('move')}>
            Move
          </Button>
        )}
        {canBlock && blocks > 0 && (
          <Button size="xs" color="red" variant="light" loading={isUnblocking} onClick={onUnblock}>
            {blocks === 1 ? 'Remove the block' : `Remove ${blocks} blocks`}
          </Button>
        )}
        {canBlock && single && !bar && (
          <Button size="xs" onClick={onBook}>
            Book
          </Button>
        )}
        {canBlock && !(bar && single) && (
          <Button size="xs" variant="default" onClick={() => onDialog('block')}>
            Block
          </Button>
        )}
        {canSetRates && (
          <Button size="xs" variant="default" loading={isReading} onClick={() => onDialog('rates')}>
            Set rates
          </Button>
        )}
        {single && home && (
          <ButtonLink
            to="/homes/$listing"
            params={{ listing: home.slug }}
            size="xs"
            variant="default"
          >
            Open the home
          </ButtonLink>
        )}
        <Button size="xs" variant="subtle" onClick={onClear}>
          Clear
        </Button>
      </Group>
    </div>
  );
}

/** The keys of the calendar that this member may use. */
export const Keys = () => (
  <Text size="xs" c="dimmed" component="p" className="mc-keys">
    <Kbd size="xs">←↑→↓</Kbd> move, with <Kbd size="xs">Shift</Kbd> select, also by mouse and over
    several homes, <Kbd size="xs">A</Kbd> all homes ·{' '}
    {useMay('inventory') && (
      <>
        <Kbd size="xs">R</Kbd> rates ·{' '}
      </>
    )}
    {useMay('reservations') && (
      <>
        <Kbd size="xs">N</Kbd> book · <Kbd size="xs">B</Kbd> block · <Kbd size="xs">M</Kbd> move a
        stay, <Kbd size="xs">,</Kbd> <Kbd size="xs">.</Kbd> by a day · <Kbd size="xs">U</Kbd> remove
        a block ·{' '}
      </>
    )}
    <Kbd size="xs">G</Kbd> go to a date · <Kbd size="xs">F</Kbd> filter · <Kbd size="xs">Esc</Kbd>{' '}
    clear
  </Text>
);
