import {
  Chip,
  Group,
  Input,
  Modal,
  NativeSelect,
  NumberInput,
  Stack,
  TextInput,
} from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { weekdays } from '#contract/weekdays.ts';
import { notifyUndo } from '../../../base/components/notify.tsx';
import { useUnsaved } from '../../../base/components/unsaved.tsx';
import { decimalsOf, minorOf } from '../../../base/words/money.ts';
import { counted } from '../../../base/words/plural.ts';
import { homes as api } from '../../api/homes.ts';
import type { ChangedRates, NewRates } from '../../api/homes-types.ts';
import { ActForm } from '../../components/act-form.tsx';
import type { ChosenNights } from './block-dialog.tsx';
import { RatesPreview } from './rates-preview.tsx';

type Weekday = (typeof weekdays)[number];

/** How the price of the nights is said. */
const ways = {
  set: 'Set to',
  percent: 'Change by percent',
  amount: 'Change by an amount',
  seasons: 'Back to the seasons',
} as const;
type Way = keyof typeof ways;

/** Amounts to which changed prices are rounded, in major units. */
const roundings = [0, 1, 5, 10, 50, 100] as const;

const ruleFields = [
  { name: 'minNights', label: 'Minimum nights of an arrival' },
  { name: 'maxNights', label: 'Maximum nights of an arrival' },
  { name: 'minNightsThrough', label: 'Least nights of a stay over these nights' },
] as const;

const dayFields = [
  { name: 'arrivalDays', label: 'Arrival on' },
  { name: 'departureDays', label: 'Departure on' },
] as const;

/** What is typed. An empty field changes nothing. */
interface Typed {
  from: string;
  to: string;
  weekdays: readonly Weekday[];
  way: Way;
  price: number | string;
  rounding: number;
  minNights: number | string;
  maxNights: number | string;
  minNightsThrough: number | string;
  arrivalDays: readonly Weekday[];
  departureDays: readonly Weekday[];
}

const untouched = {
  weekdays: [],
  way: 'set',
  price: '',
  rounding: 0,
  minNights: '',
  maxNights: '',
  minNightsThrough: '',
  arrivalDays: [],
  departureDays: [],
} as const;

const fromSeasons = {
  nightly: null,
  minNights: null,
  maxNights: null,
  minNightsThrough: null,
  arrivalDays: null,
  departureDays: null,
} as const;

type Change = Omit<NewRates, 'listings' | 'from' | 'to' | 'allowUnusual'>;

function priceOf({ way, price, rounding }: Typed, currency: string): Change {
  if (price === '') return {};
  const value = Number(price);
  const rounded = rounding === 0 ? {} : { roundTo: minorOf(rounding, currency) };
  if (way === 'percent') return { changePercent: value, ...rounded };
  if (way === 'amount') return { changeAmount: minorOf(value, currency), ...rounded };
  return { nightly: minorOf(value, currency) };
}

function rulesOf(typed: Typed): Change {
  const numbers = ruleFields.flatMap(({ name }) =>
    typed[name] === '' ? [] : [[name, Number(typed[name])] as const],
  );
  const days = dayFields.flatMap(({ name }) =>
    typed[name].length === 0 ? [] : [[name, [...typed[name]]] as const],
  );
  return Object.fromEntries([...numbers, ...days]) as Change;
}

/** What is sent; null: nothing is changed yet, or the nights are not complete. */
function changeOf(typed: Typed, currency: string): Omit<NewRates, 'listings'> | null {
  const { from, to } = typed;
  if (from === '' || to < from) return null;
  const change =
    typed.way === 'seasons' ? fromSeasons : { ...priceOf(typed, currency), ...rulesOf(typed) };
  const only = typed.weekdays.length === 0 ? {} : { weekdays: [...typed.weekdays] };
  return Object.keys(change).length === 0 ? null : { from, to, ...only, ...change };
}

function Days({
  label,
  value,
  error,
  onChange,
}: {
  label: string;
  value: readonly Weekday[];
  error?: string | undefined;
  onChange: (days: Weekday[]) => void;
}) {
  return (
    <Input.Wrapper label={label} labelElement="div" error={error}>
      <Chip.Group
        multiple
        value={[...value]}
        onChange={(chosen) => onChange(weekdays.filter((day) => chosen.includes(day)))}
      >
        <Group gap={4} role="group" aria-label={label}>
          {weekdays.map((day) => (
            <Chip key={day} value={day} size="xs">
              {day}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  );
}

const mixed = 'Of homes with different currencies only a percentage can change.';

function PriceFields({
  typed,
  currency,
  errors,
  onChange,
}: {
  typed: Typed;
  /** Null: the homes have several. */
  currency: string | null;
  errors: ReadonlyMap<string, string>;
  onChange: (changes: Partial<Typed>) => void;
}) {
  const { way, price, rounding } = typed;
  const isMoney = way !== 'percent';
  const isChange = way === 'percent' || way === 'amount';
  const possible =
    currency === null ? (['percent', 'seasons'] as const) : (Object.keys(ways) as Way[]);
  const unit = isMoney ? currency : '%';
  const error =
    errors.get('/nightly') ?? errors.get('/changePercent') ?? errors.get('/changeAmount');
  return (
    <>
      <Group grow align="flex-start">
        <NativeSelect
          label="Price"
          data={possible.map((value) => ({ value, label: ways[value] }))}
          value={way}
          {...(currency === null && { description: mixed })}
          onChange={({ currentTarget }) =>
            onChange({ way: currentTarget.value as Way, price: '', rounding: 0 })
          }
        />
        {way !== 'seasons' && (
          <NumberInput
            label={way === 'set' ? `Price of a night in ${unit}` : `By how much (${unit})`}
            placeholder="Stays as it is"
            {...(way === 'set' && { min: 0 })}
            decimalScale={isMoney ? decimalsOf(currency ?? 'EUR') : 2}
            data-autofocus
            value={price}
            error={error}
            onChange={(value) => onChange({ price: value })}
          />
        )}
      </Group>
      {isChange && currency !== null && (
        <NativeSelect
          label="Round to"
          data={roundings.map((value) => ({
            value: String(value),
            label: value === 0 ? 'Not rounded' : `Whole ${value} ${currency}`,
          }))}
          value={String(rounding)}
          onChange={({ currentTarget }) => onChange({ rounding: Number(currentTarget.value) })}
        />
      )}
    </>
  );
}

const shownFields = [
  '/to',
  '/weekdays',
  '/nightly',
  '/changePercent',
  '/changeAmount',
  ...ruleFields.map(({ name }) => `/${name}`),
];

const shownWith =
  (isAllowed: boolean, onAllow: (isAllowed: boolean) => void) => (changed: ChangedRates) => (
    <RatesPreview changed={changed} isAllowed={isAllowed} onAllow={onAllow} />
  );

/** Sets or changes prices and rules of the chosen nights: shown before, undone as one. */
export function RatesDialog({ chosen, onClose }: { chosen: ChosenNights; onClose: () => void }) {
  const { currency: first } = chosen.homes[0]!;
  const currency = chosen.homes.every((home) => home.currency === first) ? first : null;
  const start: Typed = {
    ...untouched,
    from: chosen.from,
    to: chosen.to,
    way: currency === null ? 'percent' : 'set',
  };
  const [typed, setTyped] = useState(start);
  // What is allowed is allowed for these values only.
  const [allowed, setAllowed] = useState<Typed | null>(null);
  const client = useQueryClient();
  const change = (changes: Partial<Typed>) => setTyped((before) => ({ ...before, ...changes }));
  const close = useUnsaved(JSON.stringify(typed) !== JSON.stringify(start));
  const isAllowed = allowed === typed;
  const changes = changeOf(typed, first);
  const listings = chosen.homes.map(({ slug }) => slug);
  const who = chosen.homes.length === 1 ? chosen.homes[0]!.name : counted(listings.length, 'home');
  const setsRules = typed.way !== 'seasons';
  return (
    <Modal opened onClose={() => close(onClose)} title={`Rates of ${who}`} size="lg">
      <ActForm
        act={{
          name: 'set rates',
          input: changes && { ...changes, listings },
          preview: api.previewRates,
          run: ({ reason: _, ...given }, { version }) =>
            api.setRates({ ...given, allowUnusual: isAllowed, expectedVersion: version }),
          show: shownWith(isAllowed, (is) => setAllowed(is ? typed : null)),
          isPossible: ({ changed, unusual }) => changed > 0 && (unusual.nights === 0 || isAllowed),
          label: 'Save',
          done: ({ changed, changeId }) =>
            notifyUndo(`Rates of ${counted(changed, 'home')} changed.`, async () => {
              await api.undoRates(changeId!);
              await client.invalidateQueries();
            }),
        }}
        fields={shownFields}
        reasonFor={null}
        onClose={onClose}
      >
        {(errors) => (
          <Stack gap="sm">
            <Group grow align="flex-start">
              <TextInput
                type="date"
                label="First night"
                value={typed.from}
                onChange={({ currentTarget }) => change({ from: currentTarget.value })}
              />
              <TextInput
                type="date"
                label="Last night"
                value={typed.to}
                error={
                  typed.to < typed.from ? 'Must not be before the first night' : errors.get('/to')
                }
                onChange={({ currentTarget }) => change({ to: currentTarget.value })}
              />
            </Group>
            <PriceFields typed={typed} currency={currency} errors={errors} onChange={change} />
            <details className="home-more">
              <summary>Only some weekdays</summary>
              <Days
                label="Nights of"
                value={typed.weekdays}
                error={errors.get('/weekdays')}
                onChange={(days) => change({ weekdays: days })}
              />
            </details>
            {setsRules && (
              <NumberInput
                label={ruleFields[0].label}
                placeholder="Stays as it is"
                min={1}
                max={90}
                allowDecimal={false}
                value={typed.minNights}
                error={errors.get('/minNights')}
                onChange={(minNights) => change({ minNights })}
              />
            )}
            {setsRules && (
              <details className="home-more">
                <summary>More rules</summary>
                <Stack gap="sm">
                  {ruleFields.slice(1).map(({ name, label }) => (
                    <NumberInput
                      key={name}
                      label={label}
                      placeholder="Stays as it is"
                      min={1}
                      max={90}
                      allowDecimal={false}
                      value={typed[name]}
                      error={errors.get(`/${name}`)}
                      onChange={(value) => change({ [name]: value })}
                    />
                  ))}
                  {dayFields.map(({ name, label }) => (
                    <Days
                      key={name}
                      label={label}
                      value={typed[name]}
                      onChange={(days) => change({ [name]: days })}
                    />
                  ))}
                </Stack>
              </details>
            )}
          </Stack>
        )}
      </ActForm>
    </Modal>
  );
}
