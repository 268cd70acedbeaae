import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowUp, IconTrash } from '@tabler/icons-react';
import { AfterPaint } from '../../../base/parts/after-paint.tsx';
import { sectionId } from '../../../base/parts/contents.tsx';
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
} from './columns.ts';
import { Field } from './field.tsx';
import { Pictures } from './pictures.tsx';
import { type Problems, type Value, valueAt, withValueAt } from './values.ts';

const wideKinds: ReadonlySet<FieldKind> = new Set(['long', 'words', 'weekdays']);

/** What every part of the form gets. */
interface Shared {
  currency: string;
  problems: Problems;
}

/** The members of an object. `pointer`: where it is in the home. */
function Fields({
  value,
  pointer,
  fields,
  currency,
  problems,
  onChange,
}: Shared & {
  value: Value;
  pointer: string;
  fields: readonly FieldOf[];
  onChange: (value: Value) => void;
}) {
  return (
    <div className="home-fields">
      {fields.map((field) => {
        const path = field.name.split('/');
        return (
          <div key={field.name} data-wide={wideKinds.has(field.kind) || undefined}>
            <Field
              field={field}
              value={valueAt(value, path)}
              currency={currency}
              error={problems.get(`${pointer}/${field.name}`)}
              onChange={(member) => onChange(withValueAt(value, path, member))}
            />
          </div>
        );
      })}
    </div>
  );
}

/** The items of a list, with buttons for their order. */
function Items({
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
  const { title, columns, noun, has, inner } = list;
  const own = items.map((entry, at) => ({ entry, at })).filter(({ entry }) => has?.(entry) ?? true);
  return own.map(({ entry, at }, place) => {
    const replace = (next: Value) => onChange(items.with(at, next));
    const before = own[place - 1];
    const swap = () => before && onChange(items.with(at, before.entry).with(before.at, entry));
    const innerItems = inner && ((valueAt(entry, inner.path) ?? []) as Value[]);
    const setInner = (next: Value[]) => inner && replace(withValueAt(entry, inner.path, next));
    return (
      <div key={at} className="home-item" role="group" aria-label={`${title} ${place + 1}`}>
        <div className="home-item-parts">
          <Fields
            {...shared}
            value={entry}
            pointer={`${pointer}/${at}`}
            fields={columns}
            onChange={replace}
          />
          {inner && innerItems && (
            <div className="home-inner">
              <Group justify="space-between">
                <Text size="sm" fw={500}>
                  {inner.title}
                </Text>
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => setInner([...innerItems, { ...inner.item }])}
                >
                  Add a {inner.noun} to {noun} {place + 1}
                </Button>
              </Group>
              <Items
                {...shared}
                list={{ ...inner, title: `${title} ${place + 1}, ${inner.noun}` }}
                items={innerItems}
                pointer={`${pointer}/${at}/${inner.path.join('/')}`}
                onChange={setInner}
              />
            </div>
          )}
        </div>
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            variant="subtle"
            disabled={!before}
            aria-label={`Move ${noun} ${place + 1} up`}
            onClick={swap}
          >
            <IconArrowUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={`Remove ${noun} ${place + 1}`}
            onClick={() => onChange(items.toSpliced(at, 1))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </div>
    );
  });
}

type Images = NonNullable<HomeContent['images']>;

interface FormParts {
  draft: HomeContent;
  problems: Problems;
  onChange: (draft: HomeContent) => void;
}

const noPath: readonly string[] = [];
const pointerTo = (path: readonly string[]): string => path.map((name) => `/${name}`).join('');

/** The members of one object of the home. */
function PartOfHome({
  draft,
  problems,
  onChange,
  fields,
  path = noPath,
}: FormParts & { fields: readonly FieldOf[]; path?: readonly string[] }) {
  const value =
    path.length === 0 ? (draft as Value) : ((valueAt(draft as Value, path) ?? {}) as Value);
  return (
    <Fields
      value={value}
      pointer={pointerTo(path)}
      fields={fields}
      currency={draft.currency}
      problems={problems}
      onChange={(next) =>
        onChange(
          (path.length === 0 ? next : withValueAt(draft as Value, path, next)) as HomeContent,
        )
      }
    />
  );
}

/** A list of the home. */
function ListOfHome({ draft, problems, onChange, list }: FormParts & { list: ListOf }) {
  const { title, about, path, item, noun } = list;
  const items = (valueAt(draft as Value, path) ?? []) as Value[];
  const write = (next: Value[]) => onChange(withValueAt(draft as Value, path, next) as HomeContent);
  return (
    <Section
      id={sectionId(title)}
      title={title}
      about={about}
      actions={
        <Button size="xs" variant="default" onClick={() => write([...items, { ...item }])}>
          Add a {noun}
        </Button>
      }
    >
      <Stack gap="sm">
        <Items
          list={list}
          items={items}
          pointer={pointerTo(path)}
          currency={draft.currency}
          problems={problems}
          onChange={write}
        />
      </Stack>
    </Section>
  );
}

/** The titles of the sections of the form, in their order. */
export const sections: readonly string[] = [
  'Content',
  'Pictures',
  ...contentLists.map(({ title }) => title),
  'Prices',
  ...[...rateLists, ...chargeLists].map(({ title }) => title),
  'Payment',
  'Stays',
  'Party',
];

/** What is below the first part. */
function PartsBelow({
  onImages,
  ...parts
}: FormParts & {
  onImages: (next: (images: Images) => Images) => void;
}) {
  return (
    <>
      <Pictures images={parts.draft.images ?? []} problems={parts.problems} onChange={onImages} />
      {contentLists.map((list) => (
        <ListOfHome key={list.title} {...parts} list={list} />
      ))}
      <Section id={sectionId('Prices')} title="Prices" about="A night, and single weekdays.">
        <PartOfHome {...parts} fields={rateFields} path={['rates']} />
      </Section>
      {[...rateLists, ...chargeLists].map((list) => (
        <ListOfHome key={list.title} {...parts} list={list} />
      ))}
      <Section id={sectionId('Payment')} title="Payment" about="When the total is due.">
        <PartOfHome {...parts} fields={paymentFields} path={['payment']} />
      </Section>
      <Section id={sectionId('Stays')} title="Stays">
        <PartOfHome {...parts} fields={stayFields} path={['stayRules']} />
      </Section>
      <Section id={sectionId('Party')} title="Party">
        <PartOfHome {...parts} fields={partyFields} path={['party']} />
      </Section>
    </>
  );
}

/** Everything about a home. `onChange` gets the next draft of the one before. */
export function HomeForm({
  draft,
  problems,
  onChange,
}: Omit<FormParts, 'onChange'> & {
  onChange: (next: (draft: HomeContent) => HomeContent) => void;
}) {
  const parts = { draft, problems, onChange: (next: HomeContent) => onChange(() => next) };
  // Uploads end later, when the draft may have changed.
  const changeImages = (next: (images: Images) => Images) =>
    onChange((before) => ({ ...before, images: next(before.images ?? []) }));
  return (
    <Stack gap="md">
      <Section id={sectionId('Content')} title="Content">
        <PartOfHome {...parts} fields={contentFields} />
      </Section>
      {/* The whole form takes several times as long as what is in view. */}
      <AfterPaint>
        <PartsBelow {...parts} onImages={changeImages} />
      </AfterPaint>
    </Stack>
  );
}
