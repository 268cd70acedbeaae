import { Button, Stack } from '@mantine/core';
import { AfterPaint } from '../../../base/components/after-paint.tsx';
import { sectionId } from '../../../base/components/contents.tsx';
import { Section } from '../../../base/components/section.tsx';
import type { HomeContent } from '../../api/homes-types.ts';
import { chargeLists } from './fields/charges.ts';
import { addressFields, contentFields, contentLists } from './fields/content.ts';
import type { FieldOf, ListOf } from './fields/field-of.ts';
import { rateFields, rateLists } from './fields/rates.ts';
import {
  cancellationFields,
  cancellationLists,
  depositFields,
  partyFields,
  paymentFields,
  paymentLists,
  stayFields,
} from './fields/rules.ts';
import { Fields } from './fields.tsx';
import { Items } from './items.tsx';
import { Pictures } from './pictures.tsx';
import { type Problems, type Value, valueAt, withValueAt } from './values.ts';

type Images = NonNullable<HomeContent['images']>;

interface HomeFormProps {
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
}: HomeFormProps & { fields: readonly FieldOf[]; path?: readonly string[] }) {
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
function ListOfHome({ draft, problems, onChange, list }: HomeFormProps & { list: ListOf }) {
  const { title, about, path, item, noun, replaces = [], isAbsentWhenEmpty = false } = list;
  const items = (valueAt(draft as Value, path) ?? []) as Value[];
  const write = (next: Value[]) => {
    const isAbsent = isAbsentWhenEmpty && next.length === 0;
    const written = withValueAt(draft as Value, path, isAbsent ? undefined : next);
    const others = items.length === 0 ? replaces : [];
    onChange(
      others.reduce((less, other) => withValueAt(less, other, undefined), written) as HomeContent,
    );
  };
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

/** A section of members of one object. */
interface FieldsSection {
  title: string;
  about: string;
  fields: readonly FieldOf[];
  path?: readonly string[];
}

const section = (
  title: string,
  about: string,
  fields: readonly FieldOf[],
  path?: readonly string[],
): FieldsSection => ({ title, about, fields, ...(path && { path }) });

/** What is below the pictures, in its order. */
const below: readonly (FieldsSection | ListOf)[] = [
  section('Address', 'Guests read it from the confirmation of their stay on.', addressFields),
  ...contentLists,
  section('Prices', 'A night, and single weekdays.', rateFields, ['rates']),
  ...rateLists,
  ...chargeLists,
  section('Payment', 'When the total is due.', paymentFields, ['payment']),
  ...paymentLists,
  section('Security deposit', 'Told to guests; Latchkey does not collect it.', depositFields),
  section('Stays', 'When a stay may begin and end, and how long it is.', stayFields, ['stayRules']),
  section('Party', 'Who may stay.', partyFields, ['party']),
  ...cancellationLists,
  section('More about cancellation', 'A grace, and your own text.', cancellationFields),
];

const inFields = (fields: readonly FieldOf[], names: string): string | undefined =>
  fields.find(({ name }) => names === name || names.startsWith(`${name}/`))?.label;

/** The words for a member of an item of a list: `Seasons 2, Price of a night`. */
function inList({ title, columns, more = [], forms = [], inner }: ListOf, names: string): string {
  const [at = '', ...rest] = names.split('/');
  const item = `${title} ${Number(at) + 1}`;
  const own = rest.join('/');
  const fields = [...columns, ...more, ...forms.flatMap((form) => form.fields)];
  const label = inFields(fields, own);
  if (label !== undefined) return `${item}, ${label}`;
  const within = inner ? `${inner.path.join('/')}/` : null;
  if (inner && within && own.startsWith(within)) {
    return `${item}, ${inList(inner, own.slice(within.length))}`;
  }
  return item;
}

const ownNames: Readonly<Record<string, string>> = {
  slug: 'Slug',
  collection: 'Collection',
  listingId: 'ID',
  images: 'Pictures',
};

/** The words for a member of a home, by its pointer: of its field, or of its section. */
export function wordsOfMember(pointer: string): string {
  const names = pointer.slice(1);
  if (names.startsWith('images/')) return `Pictures ${Number(names.split('/')[1]) + 1}`;
  const first = ownNames[names] ?? inFields(contentFields, names);
  if (first !== undefined) return first;
  for (const part of below) {
    const path = (part.path ?? []).join('/');
    const isInside = path === '' || names === path || names.startsWith(`${path}/`);
    if (!isInside) continue;
    const inner = path === '' ? names : names.slice(path.length + 1);
    if ('noun' in part) return inner === '' ? part.title : inList(part, inner);
    const label = inFields(part.fields, inner);
    if (label !== undefined) return label;
    if (names === path) return part.title;
  }
  return pointer;
}

/** The titles of the sections of the form, in their order. */
export const sections: readonly string[] = [
  'Content',
  'Pictures',
  ...below.map(({ title }) => title),
];

/** What is below the first part. */
function PartsBelow({
  onImages,
  ...parts
}: HomeFormProps & {
  onImages: (next: (images: Images) => Images) => void;
}) {
  return (
    <>
      <Pictures images={parts.draft.images ?? []} problems={parts.problems} onChange={onImages} />
      {below.map((each) =>
        'noun' in each ? (
          <ListOfHome key={each.title} {...parts} list={each} />
        ) : (
          <Section
            key={each.title}
            id={sectionId(each.title)}
            title={each.title}
            about={each.about}
          >
            <PartOfHome {...parts} fields={each.fields} {...(each.path && { path: each.path })} />
          </Section>
        ),
      )}
    </>
  );
}

/** Everything about a home. `onChange` gets the next draft of the one before. */
export function HomeForm({
  draft,
  problems,
  onChange,
}: Omit<HomeFormProps, 'onChange'> & {
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
