/** Fields of a party, with the ages of its children. */
import { NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { limits } from '#contract/limits.ts';

const fields = [
  { name: 'adults', label: 'Adults', ...limits.adults },
  { name: 'children', label: 'Children', ...limits.otherGuests },
  { name: 'infants', label: 'Infants', ...limits.otherGuests },
  { name: 'pets', label: 'Pets', ...limits.otherGuests },
] as const;

type Counts = Record<(typeof fields)[number]['name'], number>;

/** The members that the fields show errors of. */
export const partyPaths = [...fields.map(({ name }) => name), 'childAges'].map(
  (name) => `/party/${name}`,
);

/** How many guests and pets. `ages` are a text such as `4, 9`, and asked for only with children. */
export const PartyFields = ({
  counts,
  ages,
  errors,
  onCount,
  onAges,
}: {
  counts: Counts;
  ages: string;
  errors: ReadonlyMap<string, string>;
  onCount: (count: Partial<Counts>) => void;
  onAges: (ages: string) => void;
}) => (
  <>
    <SimpleGrid cols={4}>
      {fields.map(({ name, label, min, max }) => (
        <NumberInput
          key={name}
          label={label}
          min={min}
          max={max}
          allowDecimal={false}
          value={counts[name]}
          error={errors.get(`/party/${name}`)}
          onChange={(value) => onCount({ [name]: Number(value) || 0 })}
        />
      ))}
    </SimpleGrid>
    {counts.children > 0 && (
      <TextInput
        label="Ages of the children"
        description="One for each child, at check-in: some taxes and fees depend on it."
        placeholder="4, 9"
        value={ages}
        error={errors.get('/party/childAges')}
        onChange={({ currentTarget }) => onAges(currentTarget.value)}
      />
    )}
  </>
);
