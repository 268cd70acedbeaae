import { TextInput } from '@mantine/core';

/** A filter of a list: a day, or none. */
export function DayField({
  label,
  value,
  onChoose,
}: {
  label: string;
  value: string | undefined;
  onChoose: (value: string | undefined) => void;
}) {
  return (
    <TextInput
      type="date"
      label={label}
      size="xs"
      value={value ?? ''}
      onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
    />
  );
}
