import { MemberName } from './word.tsx';
import { ItemTable, type Column } from './item-table.tsx';
import { Section } from './section.tsx';

interface Field {
  path: string;
  message: string;
}

const columns: readonly Column<Field>[] = [
  { name: 'Where', cell: ({ path }) => <MemberName of={path} /> },
  { name: 'What is wrong', cell: ({ message }) => message },
];

/** The fields of a logged call that were not valid. */
export const InvalidFields = ({ fields }: { fields: readonly Field[] }) => (
  <Section title="Fields that are not valid" about="Values are never logged.">
    <ItemTable
      caption="Fields that are not valid"
      items={fields}
      keyOf={({ path, message }) => `${path} ${message}`}
      columns={columns}
    />
  </Section>
);
