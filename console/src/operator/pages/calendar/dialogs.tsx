import { Alert, Button, Group, Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CallFailure } from '../../../base/api/call.ts';
import { askFirst } from '../../../base/components/ask-first.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { useFieldErrors } from '../../../base/components/field-errors.ts';
import { notifyDone, notifyUndo } from '../../../base/components/notify.tsx';
import { useUnsaved } from '../../../base/components/unsaved.tsx';
import { counted } from '../../../base/words/plural.ts';
import { homes } from '../../api/homes.ts';
import { UnusualPrices, unusualOf } from '../../components/unusual-prices.tsx';
import type { CalendarHome, NewBlock } from '../../api/homes-types.ts';
import { dateOf, dayOf, dayText, stayText } from '../../words/days.ts';
import { decimalsOf, minorOf } from '../../../base/words/money.ts';

/** Nights that were chosen in the grid; `to` is the last of them. */
export interface ChosenNights {
  homes: readonly CalendarHome[];
  from: string;
  to: string;
}

const shown = { shown: true };
const dayAfter = (date: string): string => dateOf(dayOf(date) + 1);

const Buttons = ({
  label,
  busy,
  onCancel,
}: {
  label: string;
  busy: boolean;
  onCancel: () => void;
}) => (
  <Group justify="flex-end" gap="xs">
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" loading={busy}>
      {label}
    </Button>
  </Group>
);

/** The homes that were blocked, and those that were not, with why. */
interface Blocked {
  blockIds: string[];
  refused: { name: string; why: string }[];
}

/** Blocks one home after the other: a home whose nights are taken does not keep the others free. */
async function blockEach(
  chosen: readonly CalendarHome[],
  nights: Omit<NewBlock, 'listing'>,
): Promise<Blocked> {
  const blocked: Blocked = { blockIds: [], refused: [] };
  for (const { slug, name } of chosen) {
    try {
      const { blockId } = await homes.addBlock({ listing: slug, ...nights });
      blocked.blockIds.push(blockId);
    } catch (error) {
      if (!(error instanceof CallFailure) || chosen.length === 1) throw error;
      blocked.refused.push({ name, why: error.message });
    }
  }
  return blocked;
}

/** Blocks the chosen nights of all chosen homes. */
export function BlockDialog({ chosen, onClose }: { chosen: ChosenNights; onClose: () => void }) {
  const [home] = chosen.homes;
  const who = chosen.homes.length === 1 ? home!.name : counted(chosen.homes.length, 'home');
  const form = useForm({
    initialValues: { from: chosen.from, to: dayAfter(chosen.to), reason: '' },
    validate: { to: (to, { from }) => (to > from ? null : 'Must be after the first night') },
  });
  const add = useMutation({
    mutationFn: (nights: Omit<NewBlock, 'listing'>) => blockEach(chosen.homes, nights),
    meta: shown,
  });
  const client = useQueryClient();
  const refused = add.data?.refused ?? [];
  const failure = useFieldErrors(form, add.error);
  const submit = form.onSubmit(({ from, to, reason }) =>
    add.mutate(
      { from, to, reason: reason.trim() || null },
      {
        onSuccess: ({ blockIds, refused: others }) => {
          const named = others.length === 0 ? who : counted(blockIds.length, 'home');
          if (blockIds.length > 0) {
            notifyUndo(`${named} blocked: ${stayText(from, to)}.`, async () => {
              for (const blockId of blockIds) await homes.removeBlock(blockId);
              await client.invalidateQueries();
            });
          }
          if (others.length === 0) onClose();
        },
      },
    ),
  );
  return (
    <Modal opened onClose={onClose} title={`Block ${who}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput type="date" label="First night" {...form.getInputProps('from')} />
          <TextInput type="date" label="Free again on" {...form.getInputProps('to')} />
          <TextInput
            label="Reason"
            description="For staff only."
            maxLength={500}
            data-autofocus
            {...form.getInputProps('reason')}
          />
          {refused.length > 0 && (
            <Alert
              color="orange"
              variant="light"
              title={`${counted(refused.length, 'home')} not blocked`}
            >
              {refused.map(({ name, why }) => (
                <Text key={name} size="sm">
                  {name}: {why}
                </Text>
              ))}
            </Alert>
          )}
          {failure && <Failure error={failure} />}
          <Buttons
            label={refused.length > 0 ? 'Try again' : 'Block'}
            busy={add.isPending}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}

const valueOf = (text: number | string): number | undefined =>
  text === '' ? undefined : Number(text);

/** Sets the price and minimum nights of the chosen nights. */
export function RatesDialog({ chosen, onClose }: { chosen: ChosenNights; onClose: () => void }) {
  const { currency } = chosen.homes[0]!;
  const sameCurrency = chosen.homes.every((home) => home.currency === currency);
  const save = useMutation({ mutationFn: homes.setRates, meta: shown });
  const [isAllowed, setAllowed] = useState(false);
  const form = useForm<{
    from: string;
    to: string;
    nightly: number | string;
    minNights: number | string;
  }>({
    initialValues: { from: chosen.from, to: chosen.to, nightly: '', minNights: '' },
    validate: {
      to: (to, { from }) => (to >= from ? null : 'Must not be before the first night'),
      nightly: (nightly, { minNights }) =>
        nightly === '' && minNights === '' ? 'Enter a price, minimum nights, or both' : null,
    },
    // What was refused, and what was allowed, counts for these values only.
    onValuesChange: () => {
      save.reset();
      setAllowed(false);
    },
  });
  const close = useUnsaved(form.isDirty());
  const unusual = unusualOf(save.error);
  const failure = useFieldErrors(form, save.error);
  const listings = chosen.homes.map(({ slug }) => slug);
  const write = (rates: { nightly?: number | null; minNights?: number | null }) => {
    const { from, to } = form.values;
    save.mutate(
      { listings, from, to, ...rates, allowUnusual: isAllowed },
      {
        onSuccess: ({ changed }) => {
          notifyDone(`Rates of ${counted(changed, 'home')} changed.`);
          onClose();
        },
      },
    );
  };
  const { from: firstNight, to: lastNight } = form.values;
  const toSeasons = {
    title: 'Back to the seasons?',
    text: `Prices and minimum nights that were set for single nights from ${dayText(firstNight)} to ${dayText(lastNight)} are removed from ${counted(chosen.homes.length, 'home')}. The prices of the seasons hold again.`,
    verb: 'Remove them',
    color: 'red',
  } as const;
  const submit = form.onSubmit(({ nightly, minNights }) => {
    const price = valueOf(nightly);
    const nights = valueOf(minNights);
    write({
      ...(price !== undefined && { nightly: minorOf(price, currency) }),
      ...(nights !== undefined && { minNights: nights }),
    });
  });
  const who =
    chosen.homes.length === 1 ? chosen.homes[0]!.name : counted(chosen.homes.length, 'home');
  return (
    <Modal opened onClose={() => close(onClose)} title={`Rates of ${who}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Group grow align="flex-start">
            <TextInput type="date" label="First night" {...form.getInputProps('from')} />
            <TextInput type="date" label="Last night" {...form.getInputProps('to')} />
          </Group>
          {sameCurrency ? (
            <NumberInput
              label={`Price of a night in ${currency}`}
              description="Empty: it stays as it is."
              min={0}
              decimalScale={decimalsOf(currency)}
              data-autofocus
              {...form.getInputProps('nightly')}
            />
          ) : (
            <Alert color="yellow" variant="light">
              These homes have different currencies: set their prices one by one.
            </Alert>
          )}
          <NumberInput
            label="Minimum nights of an arrival"
            description="Empty: they stay as they are."
            min={1}
            max={90}
            allowDecimal={false}
            {...form.getInputProps('minNights')}
          />
          {unusual && (
            <UnusualPrices unusual={unusual} isAllowed={isAllowed} onChange={setAllowed} />
          )}
          {failure && !unusual && <Failure error={failure} />}
          <Group justify="space-between" gap="xs">
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              onClick={() => askFirst(toSeasons, () => write({ nightly: null, minNights: null }))}
            >
              Back to the seasons
            </Button>
            <Buttons label="Save" busy={save.isPending} onCancel={() => close(onClose)} />
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
