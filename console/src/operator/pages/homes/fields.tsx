import type { FieldKind, FieldOf } from './fields/field-of.ts';
import { Field } from './field.tsx';
import { type Problems, type Value, valueAt, withValueAt } from './values.ts';

const wideKinds: ReadonlySet<FieldKind> = new Set(['long', 'words', 'weekdays']);

/** What every part of the form gets. */
export interface Shared {
  currency: string;
  problems: Problems;
}

const listKinds: ReadonlySet<FieldKind> = new Set(['words', 'lines', 'weekdays']);

/** What is wrong with a member, or with an item of it. */
function problemOf(problems: Problems, { kind }: FieldOf, pointer: string): string | undefined {
  const own = problems.get(pointer);
  if (own !== undefined || !listKinds.has(kind)) return own;
  return [...problems].find(([path]) => path.startsWith(`${pointer}/`))?.[1];
}

/** The value with a member, with what it needs, and without those that say the same in another form. */
function withMember(value: Value, changed: FieldOf, member: unknown): Value {
  const { name, replaces = [], needs = {} } = changed;
  const isThere = member !== undefined && member !== null;
  const withNeeded = Object.entries(needs).reduce(
    (more, [other, only]) => withValueAt(more, other.split('/'), isThere ? only : undefined),
    withValueAt(value, name.split('/'), member),
  );
  const others = isThere ? replaces : [];
  return others.reduce((less, other) => withValueAt(less, other.split('/'), undefined), withNeeded);
}

/** The members of an object. `pointer`: where it is in the home. */
export function Fields({
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
          <div key={field.name} data-wide={wideKinds.has(field.kind) || field.isWide || undefined}>
            <Field
              field={field}
              value={valueAt(value, path)}
              currency={currency}
              error={problemOf(problems, field, `${pointer}/${field.name}`)}
              onChange={(member) => onChange(withMember(value, field, member))}
            />
          </div>
        );
      })}
    </div>
  );
}
