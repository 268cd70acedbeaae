import { Select, type SelectProps, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operatorLimits } from '#contract/operator/limits.ts';
import { foundHomesQuery } from '../api/homes-queries.ts';

const typedMs = 250;

interface Option {
  value: string;
  label: string;
}

const Choice = ({ option: { value, label } }: { option: Option }) => (
  <Stack gap={0} className="break">
    <span>{label}</span>
    <Text size="xs">{label === value ? 'As slug or ID' : value}</Text>
  </Stack>
);

/** What is shown for a slug or ID: the name of its home, or itself if no catalog sells the home. */
function useLabel(value: string | undefined): string {
  const { data } = useQuery({ ...foundHomesQuery(value ?? ''), enabled: value !== undefined });
  const home = data?.items.find(({ slug, listingId }) => slug === value || listingId === value);
  return home?.name ?? value ?? '';
}

/** The homes whose name, slug or destination contains a text; null: not known yet. */
function useFound(text: string, isOpen: boolean): Option[] | null {
  const [asked] = useDebouncedValue(text, typedMs);
  const { data, isPending } = useQuery({ ...foundHomesQuery(asked), enabled: isOpen });
  if (asked !== text || isPending) return null;
  return data?.items.map(({ slug, name }) => ({ value: slug, label: name })) ?? [];
}

/** A home by its slug: found by a part of its name, or typed as slug or ID if no catalog sells it. */
export function HomeChoice({
  label,
  value,
  onChoose,
  ...field
}: {
  label: string;
  value: string | undefined;
  onChoose: (listing: string | undefined) => void;
} & Pick<SelectProps, 'size' | 'className' | 'clearable'>) {
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const chosen = useLabel(value);
  const typed = text === chosen ? '' : text.trim();
  const found = useFound(typed, isOpen);
  const isTyped = typed !== '';
  const current = value === undefined || isTyped ? [] : [{ value, label: chosen }];
  const others = (found ?? []).filter((option) => isTyped || option.value !== value);
  const asTyped = isTyped && found?.length === 0 ? [{ value: typed, label: typed }] : [];
  const options = [...current, ...others, ...asTyped];
  return (
    <Select
      {...field}
      label={label}
      placeholder="Name or slug"
      data={options}
      value={value ?? null}
      onChange={(slug) => onChoose(slug ?? undefined)}
      searchable
      searchValue={text}
      onSearchChange={(changed) => {
        setText(changed);
        if (changed === '' && field.clearable && value !== undefined) onChoose(undefined);
      }}
      // Choosing the chosen home again restores its name after another text was typed.
      onOptionSubmit={(slug) => slug === value && setText(chosen)}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      // The service has found them.
      filter={({ options: all }) => all}
      // When the homes arrive, Enter chooses the first.
      selectFirstOptionOnChange={isTyped && options.length > 0}
      // Before they arrive, it does not submit a form.
      onKeyDown={(event) => event.key === 'Enter' && isTyped && event.preventDefault()}
      allowDeselect={false}
      {...(isTyped && { nothingFoundMessage: 'Searching…' })}
      renderOption={Choice}
      withCheckIcon={false}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      maxLength={operatorLimits.searchTextLength}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
