import { NumberInput } from '@mantine/core';
import { decimalsOf, minorOf } from '../../base/words/money.ts';

/** Asks for an amount in major units; the value is in minor units, null while it is empty. */
export const AmountField = ({
  label,
  currency,
  error,
  onChange,
}: {
  label: string;
  currency: string;
  error?: string | undefined;
  onChange: (minor: number | null) => void;
}) => (
  <NumberInput
    label={label}
    min={0}
    decimalScale={decimalsOf(currency)}
    thousandSeparator=","
    rightSection={<span className="currency">{currency}</span>}
    rightSectionWidth={52}
    hideControls
    required
    error={error}
    onChange={(value) => onChange(typeof value === 'number' ? minorOf(value, currency) : null)}
  />
);
