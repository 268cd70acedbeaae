import { ActionIcon, Button, Group, Stack } from '@mantine/core';
import { IconArrowUp, IconTrash } from '@tabler/icons-react';
import { Section } from '../../../base/parts/section.tsx';
import type { HomeContent } from '../../api/homes-types.ts';
import {
  chargeLists,
  contentFields,
  contentLists,
  type FieldKind,
  type FieldOf,
  type ListOf,
  partyFields,
  paymentFields,
  rateFields,
  rateLists,
  stayFields,
  weekdayFields,
} from './columns.ts';
import { Field } from './field.tsx';
import { type Value, valueAt, withMember, withValueAt } from './values.ts';

/** The problems of the draft, by JSON Pointer within the home. */
export type Problems = ReadonlyMap<string, string>;

const wideKinds: ReadonlySet<FieldKind> = new Set(['long', 'words', 'weekdays']);
const noPath: readonly string[] = [];

interface FormParts {
  draft: HomeContent;
  problems: Problems;
  disabled: boolean;
  onChange: (draft: HomeContent) => void;
}

/** The members of one object of the home. */
function Fields({
  draft,
  problems,
  disabled,
  onChange,
  fields,
  path = noPath,
}: FormParts & { fields: readonly FieldOf[]; path?: readonly string[] }) {
  const object = (valueAt(draft as Value, path) ?? {}) as Value;
  return (
    <div className="home-fields">
      {fields.map((field) => (
        <div key={field.name} data-wide={wideKinds.has(field.kind) || undefined}>
          <Field
            field={field}
            value={object[field.name]}
            currency={draft.currency}
            error={problems.get(`/${[...path, field.name].join('/')}`)}
            disabled={disabled}
            onChange={(value) =>
              onChange(withValueAt(draft as Value, [...path, field.name], value) as HomeContent)
            }
          />
        </div>
      ))}
    </div>
  );
}

/** Whether an item belongs to this list: taxes have two forms. */
const belongs = ({ columns, item }: ListOf, entry: Value): boolean =>
  !('on' in item) && !columns.some(({ name }) => name === 'adultsOnly')
    ? true
    : 'on' in item === 'on' in entry;

/** The items of a list of the home. */
function ListFields({ draft, problems, disabled, onChange, list }: FormParts & { list: ListOf }) {
  const { title, about, path, columns, item, noun } = list;
  const items = (valueAt(draft as Value, path) ?? []) as Value[];
  const write = (next: Value[]) => onChange(withValueAt(draft as Value, path, next) as HomeContent);
  const replace = (at: number, entry: Value) => write(items.with(at, entry));
  const own = items.map((entry, at) => ({ entry, at })).filter(({ entry }) => belongs(list, entry));
  return (
    <Section
      title={title}
      about={about}
      actions={
        !disabled && (
          <Button size="xs" variant="default" onClick={() => write([...items, { ...item }])}>
            Add a {noun}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {own.map(({ entry, at }) => (
          <div key={at} className="home-item" role="group" aria-label={`${title} ${at + 1}`}>
            <div className="home-fields">
              {columns.map((column) => (
                <Field
                  key={column.name}
                  field={column}
                  value={entry[column.name]}
                  currency={draft.currency}
                  error={problems.get(`/${[...path, at, column.name].join('/')}`)}
                  disabled={disabled}
                  onChange={(value) => replace(at, withMember(entry, column.name, value))}
                />
              ))}
            </div>
            {!disabled && (
              <Group gap={4} wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  disabled={at === 0}
                  aria-label={`Move ${noun} ${at + 1} up`}
                  onClick={() => write(items.with(at - 1, entry).with(at, items[at - 1]!))}
                >
                  <IconArrowUp size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={`Remove ${noun} ${at + 1}`}
                  onClick={() => write(items.toSpliced(at, 1))}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Group>
            )}
          </div>
        ))}
      </Stack>
    </Section>
  );
}

/** Everything about a home. */
export function HomeForm(parts: FormParts) {
  return (
    <Stack gap="md">
      <Section title="Content">
        <Fields {...parts} fields={contentFields} />
      </Section>
      {contentLists.map((list) => (
        <ListFields key={list.title} {...parts} list={list} />
      ))}
      <Section title="Prices" about="A night, and single weekdays.">
        <Stack gap="sm">
          <Fields {...parts} fields={rateFields} path={['rates']} />
          <Fields {...parts} fields={weekdayFields} path={['rates', 'weekdays']} />
        </Stack>
      </Section>
      {[...rateLists, ...chargeLists].map((list) => (
        <ListFields key={list.title} {...parts} list={list} />
      ))}
      <Section title="Payment" about="When the total is due.">
        <Fields {...parts} fields={paymentFields} path={['payment']} />
      </Section>
      <Section title="Stays">
        <Fields {...parts} fields={stayFields} path={['stayRules']} />
      </Section>
      <Section title="Party">
        <Fields {...parts} fields={partyFields} path={['party']} />
      </Section>
    </Stack>
  );
}
