import { NativeSelect } from '@mantine/core';

/** A filter of a list: one of some values, or all. */
export function Choice({
  label,
  value,
  choices,
  onChoose,
}: {
  label: string;
  value: string | undefined;
  choices: readonly { value: string; label: string }[];
  onChoose: (value: string | undefined) => void;
}) {
  // A value from the URL is shown even if it is not one of the choices.
  const isUnlisted = value !== undefined && !choices.some((choice) => choice.value === value);
  const shown = isUnlisted ? [...choices, { value, label: value }] : choices;
  return (
    <NativeSelect
      label={label}
      size="xs"
      className="choice"
      value={value ?? ''}
      onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
      data={[{ value: '', label: 'All' }, ...shown]}
    />
  );
}
