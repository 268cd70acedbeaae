/** Fields that the forms of the sandbox share. */
import { NumberInput, TextInput } from '@mantine/core';

/** An ID that is pasted. */
export const IdField = ({
  label,
  placeholder,
  required = false,
  value,
  onType,
}: {
  label: string;
  placeholder?: string;
  required?: boolean;
  value: string;
  onType: (value: string) => void;
}) => (
  <TextInput
    label={label}
    {...(placeholder !== undefined && { placeholder })}
    w={340}
    maw="100%"
    required={required}
    withAsterisk={false}
    autoComplete="off"
    spellCheck={false}
    value={value}
    onChange={({ currentTarget }) => onType(currentTarget.value)}
  />
);

/** A whole number between two others, which must be there. */
export const WholeField = ({
  label,
  width,
  range: [min, max],
  value,
  onChange,
}: {
  label: string;
  width: number;
  range: readonly [min: number, max: number];
  value: number | string;
  onChange: (value: number | string) => void;
}) => (
  <NumberInput
    label={label}
    w={width}
    min={min}
    max={max}
    allowDecimal={false}
    required
    withAsterisk={false}
    value={value}
    onChange={onChange}
  />
);
