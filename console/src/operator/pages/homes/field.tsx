import {
  Chip,
  Group,
  Input,
  NativeSelect,
  NumberInput,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { weekdays } from '#contract/weekdays.ts';
import { decimalsOf, majorOf, minorOf } from '../../../base/words/money.ts';
import type { FieldOf } from './fields/field-of.ts';

const yesOrNo: readonly (readonly [text: string, meant: boolean | null])[] = [
  ['Not said', null],
  ['Yes', true],
  ['No', false],
];

const decimals = { integer: 0, number: 2, percent: 4, coordinate: 6 } as const;

const notChosen = '';

const choiceWords: Readonly<Record<string, string>> = {
  [notChosen]: '–',
  guest_night: 'guest and night',
  pet_night: 'pet and night',
  property: 'at the property',
};

/** One member of a home. An empty value is left out or null, as its table says. */
export function Field({
  field,
  value,
  currency,
  error,
  onChange,
}: {
  field: FieldOf;
  value: unknown;
  currency: string;
  error: string | undefined;
  onChange: (value: unknown) => void;
}) {
  const { label, kind, hint, empty, standard } = field;
  const common = { label, error, ...(hint && { placeholder: hint }) };
  const orEmpty = (text: string): unknown => {
    if (text !== '' || !empty) return text;
    return empty === 'null' ? null : undefined;
  };
  if (typeof kind !== 'string') {
    return (
      <NativeSelect
        {...common}
        data={[...(empty ? [notChosen] : []), ...kind].map((choice) => ({
          value: choice,
          label: choiceWords[choice] ?? choice,
        }))}
        value={String(value ?? notChosen)}
        onChange={({ currentTarget }) => onChange(orEmpty(currentTarget.value))}
      />
    );
  }
  switch (kind) {
    case 'switch':
      return (
        <Switch
          label={label}
          error={error}
          checked={(value ?? standard) === true}
          onChange={({ currentTarget: { checked } }) =>
            onChange(!checked && empty === 'absent' ? undefined : checked)
          }
        />
      );
    case 'yes or no':
      return (
        <NativeSelect
          {...common}
          data={yesOrNo.map(([text]) => text)}
          value={yesOrNo.find(([, meant]) => meant === (value ?? null))![0]}
          onChange={({ currentTarget }) =>
            onChange(yesOrNo.find(([text]) => text === currentTarget.value)![1])
          }
        />
      );
    case 'words':
      return (
        <TagsInput
          {...common}
          value={(value as string[] | undefined) ?? []}
          onChange={(words) => onChange(words.length === 0 && empty ? undefined : words)}
          splitChars={[',']}
        />
      );
    case 'weekdays':
      return (
        <Input.Wrapper label={label} error={error} labelElement="div">
          <Chip.Group
            multiple
            value={[...((value ?? standard ?? []) as readonly string[])]}
            onChange={(chosen) => {
              const days = weekdays.filter((day) => chosen.includes(day));
              onChange(days.length === 0 && empty === 'absent' ? undefined : days);
            }}
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
    case 'integer':
    case 'percent':
    case 'number':
    case 'coordinate':
    case 'money': {
      const isMoney = kind === 'money';
      const shown = typeof value === 'number' ? value : '';
      return (
        <NumberInput
          {...common}
          label={isMoney ? `${label} (${currency})` : label}
          hideControls
          allowDecimal={kind !== 'integer'}
          decimalScale={isMoney ? decimalsOf(currency) : decimals[kind]}
          value={isMoney && shown !== '' ? majorOf(shown, currency) : shown}
          onChange={(entered) => {
            if (entered === '') onChange(orEmpty(''));
            else if (isMoney) onChange(minorOf(Number(entered), currency));
            else onChange(Number(entered));
          }}
        />
      );
    }
    case 'lines':
      return (
        <Textarea
          {...common}
          autosize
          minRows={2}
          value={((value as string[] | undefined) ?? []).join('\n')}
          onChange={({ currentTarget }) => {
            const lines = currentTarget.value.split('\n');
            onChange(currentTarget.value === '' && empty ? undefined : lines);
          }}
        />
      );
    case 'long':
      return (
        <Textarea
          {...common}
          autosize
          minRows={2}
          maxRows={10}
          value={String(value ?? '')}
          onChange={({ currentTarget }) => onChange(orEmpty(currentTarget.value))}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          type={kind}
          value={String(value ?? '')}
          onChange={({ currentTarget }) => onChange(orEmpty(currentTarget.value))}
        />
      );
  }
}
