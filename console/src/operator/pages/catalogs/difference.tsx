import { Badge, Code, List, Stack, Text } from '@mantine/core';
import { memberTexts } from '#contract/catalog-file/change-text.ts';
import { counted } from '../../../base/words/plural.ts';
import type { CatalogImported } from '../../api/homes-types.ts';

type Changes = CatalogImported['changes'];
type Kind = Exclude<keyof Changes, 'moved'>;
type Entry = Changes[Kind]['entries'][number];

const kinds = ['catalog', 'collections', 'listings', 'promotions', 'blocks'] as const;
const titles: Readonly<Record<Kind, string>> = {
  catalog: 'Catalog',
  collections: 'Collections',
  listings: 'Homes',
  promotions: 'Promotions',
  blocks: 'Blocks',
};
const colors = { added: 'teal', changed: 'blue', withdrawn: 'red' } as const;
/** Most entries that a page shows of an import. */
export const shownEntries = 100;

/** Whether an entry is new, changed or withdrawn. */
export const ChangeBadge = ({ change }: Pick<Entry, 'change'>) => (
  <Badge variant="light" color={colors[change]} size="sm" className="badge" tt="none">
    {change}
  </Badge>
);

const EntryItem = ({ entry }: { entry: Entry }) => (
  <List.Item className="break">
    <ChangeBadge change={entry.change} /> {entry.name}
    {entry.members.length > 0 && (
      <List size="xs" listStyleType="none">
        {memberTexts(entry).map(({ path, from, to }) => (
          <List.Item key={path} className="break">
            <Code>{path}</Code> {from} → {to}
          </List.Item>
        ))}
      </List>
    )}
  </List.Item>
);

/** Whether an import changes anything. */
export const changesAnything = (changes: Changes): boolean =>
  changes.moved > 0 ||
  kinds.some((kind) => {
    const { added, changed, withdrawn } = changes[kind];
    return added + changed + withdrawn > 0;
  });

/** What an import changes. */
export function Difference({ changes }: { changes: Changes }) {
  if (!changesAnything(changes)) return <Text size="sm">Nothing changes.</Text>;
  return (
    <Stack gap="md">
      {kinds
        .filter((kind) => changes[kind].entries.length > 0)
        .map((kind) => {
          const { added, changed, withdrawn, entries } = changes[kind];
          const left = added + changed + withdrawn - Math.min(entries.length, shownEntries);
          return (
            <div key={kind}>
              <Text fw={600} size="sm">
                {titles[kind]}: {added} added, {changed} changed, {withdrawn}{' '}
                {kind === 'blocks' ? 'removed' : 'withdrawn'}
              </Text>
              <List size="sm" listStyleType="none">
                {entries.slice(0, shownEntries).map((entry) => (
                  <EntryItem key={entry.name} entry={entry} />
                ))}
              </List>
              {left > 0 && (
                <Text size="sm" c="dimmed">
                  … and {left.toLocaleString('en')} more
                </Text>
              )}
            </div>
          );
        })}
      {changes.moved > 0 && (
        <Text size="sm">{counted(changes.moved, 'entry', 'entries')} moved</Text>
      )}
    </Stack>
  );
}
