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
import { weekdays } from '../../../../../src/contract/catalog-file.ts';
import { decimalsOf, majorOf, minorOf } from '../../../base/words/money.ts';
import type { FieldOf } from './columns.ts';

/** One member of a home. An empty value is left out or null, as its table says. */
export function Field({
  field,
  value,
  currency,
  error,
  disabled,
  onChange,
}: {
  field: FieldOf;
  value: unknown;
  currency: string;
  error: string | undefined;
  disabled: boolean;
  onChange: (value: unknown) => void;
}) {
  const { label, kind, hint, empty } = field;
  const common = { label, disabled, error, ...(hint && { placeholder: hint }) };
  const orEmpty = (text: string): unknown => {
    if (text !== '' || !empty) return text;
    return empty === 'null' ? null : undefined;
  };
  if (typeof kind !== 'string') {
    return (
      <NativeSelect
        {...common}
        data={[...kind]}
        value={String(value ?? '')}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  switch (kind) {
    case 'switch':
      return (
        <Switch
          label={label}
          disabled={disabled}
          error={error}
          checked={value === true}
          onChange={({ currentTarget: { checked } }) =>
            onChange(!checked && empty === 'absent' ? undefined : checked)
          }
        />
      );
    case 'words':
      return (
        <TagsInput
          {...common}
          value={(value as string[] | undefined) ?? []}
          onChange={onChange}
          splitChars={[',']}
        />
      );
    case 'weekdays':
      return (
        <Input.Wrapper label={label} error={error} labelElement="div">
          <Chip.Group
            multiple
            value={(value as string[] | undefined) ?? []}
            onChange={(days) => onChange(weekdays.filter((day) => days.includes(day)))}
          >
            <Group gap={4} role="group" aria-label={label}>
              {weekdays.map((day) => (
                <Chip key={day} value={day} size="xs" disabled={disabled}>
                  {day}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
      );
    case 'integer':
    case 'number':
    case 'money': {
      const isMoney = kind === 'money';
      const shown = typeof value === 'number' ? value : '';
      return (
        <NumberInput
          {...common}
          label={isMoney ? `${label} (${currency})` : label}
          hideControls
          allowDecimal={kind !== 'integer'}
          decimalScale={isMoney ? decimalsOf(currency) : 2}
          value={isMoney && shown !== '' ? majorOf(shown, currency) : shown}
          onChange={(entered) => {
            if (entered === '') onChange(orEmpty(''));
            else if (isMoney) onChange(minorOf(Number(entered), currency));
            else onChange(Number(entered));
          }}
        />
      );
    }
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
