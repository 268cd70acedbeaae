import { ActionIcon, Button, Group, NativeSelect, Text } from '@mantine/core';
import { IconArrowUp, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { Fields, type Shared } from './fields.tsx';
import type { FieldOf, FormOf, ListOf } from './fields/field-of.ts';
import { type Problems, type Value, valueAt, withValueAt } from './values.ts';

const rootOf = ({ name }: FieldOf): string => name.split('/')[0]!;

/** The item in another form: what both forms have stays. */
function inForm(entry: Value, { columns, more = [] }: ListOf, form: FormOf): Value {
  const known = new Set([...columns, ...more, ...form.fields].map(rootOf));
  const kept = Object.entries(entry).filter(([name]) => known.has(name));
  return { ...form.item, ...Object.fromEntries(kept) };
}

const hasOne = (entry: Value, fields: readonly FieldOf[]): boolean =>
  fields.some(({ name }) => valueAt(entry, name.split('/')) !== undefined);

const isWrong = (problems: Problems, fields: readonly FieldOf[], pointer: string): boolean =>
  fields.some(({ name }) => problems.has(`${pointer}/${name}`));

/** Members that few items have, behind a line that shows them. */
function More({
  entry,
  fields,
  pointer,
  label,
  onChange,
  ...shared
}: Shared & {
  entry: Value;
  fields: readonly FieldOf[];
  pointer: string;
  label: string;
  onChange: (entry: Value) => void;
}) {
  // It does not close when the last member is removed.
  const [isOpen, setOpen] = useState(hasOne(entry, fields));
  return (
    <details
      className="home-more"
      open={isOpen || isWrong(shared.problems, fields, pointer)}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary aria-label={label}>More</summary>
      <Fields {...shared} value={entry} pointer={pointer} fields={fields} onChange={onChange} />
    </details>
  );
}

/** The list within an item. */
function Inner({
  inner,
  entry,
  pointer,
  of,
  title,
  onChange,
  ...shared
}: Shared & {
  inner: ListOf;
  entry: Value;
  pointer: string;
  of: string;
  title: string;
  onChange: (entry: Value) => void;
}) {
  const items = (valueAt(entry, inner.path) ?? []) as Value[];
  const write = (next: Value[]) => onChange(withValueAt(entry, inner.path, next));
  return (
    <div className="home-inner">
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {inner.title}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => write([...items, { ...inner.item }])}
        >
          Add a {inner.noun} to {of}
        </Button>
      </Group>
      <Items
        {...shared}
        list={{ ...inner, title: `${title}, ${inner.noun}` }}
        items={items}
        pointer={`${pointer}/${inner.path.join('/')}`}
        onChange={write}
      />
    </div>
  );
}

/** The members of one item. */
function Item({
  list,
  entry,
  pointer,
  title,
  of,
  onChange,
  ...shared
}: Shared & {
  list: ListOf;
  entry: Value;
  pointer: string;
  title: string;
  of: string;
  onChange: (entry: Value) => void;
}) {
  const { columns, more, forms = [] } = list;
  const form = forms.find(({ has }) => has(entry));
  const inner = form?.inner ?? list.inner;
  const problem = shared.problems.get(pointer);
  const common = { ...shared, entry, pointer, onChange };
  return (
    <div className="home-item-parts">
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
      {form && (
        <NativeSelect
          label="Calculated as"
          className="home-form-choice"
          data={forms.map(({ title: name }) => name)}
          value={form.title}
          onChange={({ currentTarget }) =>
            onChange(
              inForm(
                entry,
                list,
                forms.find(({ title: name }) => name === currentTarget.value)!,
              ),
            )
          }
        />
      )}
      <Fields
        {...shared}
        value={entry}
        pointer={pointer}
        fields={[...columns, ...(form?.fields ?? [])]}
        onChange={onChange}
      />
      {inner && <Inner {...common} inner={inner} of={of} title={title} />}
      {more && <More {...common} fields={more} label={`More of ${of}`} />}
    </div>
  );
}

/** The items of a list, with buttons for their order. */
export function Items({
  list,
  items,
  pointer,
  onChange,
  ...shared
}: Shared & {
  list: ListOf;
  items: readonly Value[];
  pointer: string;
  onChange: (items: Value[]) => void;
}) {
  const { title, noun } = list;
  const placed = items.map((entry, at) => ({ entry, at }));
  return placed.map(({ entry, at }) => {
    const before = items[at - 1];
    const swap = () => before && onChange(items.with(at, before).with(at - 1, entry));
    return (
      <div key={at} className="home-item" role="group" aria-label={`${title} ${at + 1}`}>
        <Item
          {...shared}
          list={list}
          entry={entry}
          pointer={`${pointer}/${at}`}
          title={`${title} ${at + 1}`}
          of={`${noun} ${at + 1}`}
          onChange={(next) => onChange(items.with(at, next))}
        />
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            variant="subtle"
            disabled={!before}
            aria-label={`Move ${noun} ${at + 1} up`}
            onClick={swap}
          >
            <IconArrowUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`Remove ${noun} ${at + 1}`}
            onClick={() => onChange(items.toSpliced(at, 1))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </div>
    );
  });
}
