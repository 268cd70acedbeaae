import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Empty } from '../../../base/components/empty.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { counted } from '../../../base/words/plural.ts';
import { homes } from '../../api/homes.ts';
import { catalogsQuery } from '../../api/homes-queries.ts';
import type {
  BlocksImported,
  CatalogImported,
  Catalogs as CatalogList,
  RatesImported,
} from '../../api/homes-types.ts';
import { useMay } from '../../frame/session.ts';
import { BlockChanges, RateChanges } from './csv-changes.tsx';
import { changesAnything, Difference } from './difference.tsx';
import { ImportFile } from './import-file.tsx';

/** Lets the browser save a document as a file. */
function saveFile(name: string, content: object): void {
  const blob = new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function Export({ slug }: { slug: string }) {
  const read = useMutation({
    mutationFn: () => homes.exportCatalog(slug),
    onSuccess: (file) => saveFile(`${slug}.json`, file),
  });
  return (
    <Button size="xs" variant="default" loading={read.isPending} onClick={() => read.mutate()}>
      Export
    </Button>
  );
}

const columns: readonly Column<CatalogList['items'][number]>[] = [
  {
    name: 'Catalog',
    cell: ({ name, slug }) => (
      <Stack gap={0}>
        <span>{name}</span>
        <Text size="xs" c="dimmed">
          {slug}
        </Text>
      </Stack>
    ),
  },
  { name: 'Homes', isFigure: true, cell: ({ listings }) => listings.toLocaleString('en') },
  {
    name: 'Collections',
    cell: ({ collections }) => collections.map(({ name }) => name).join(', ') || '–',
  },
  { name: 'Promotions', isFigure: true, cell: ({ promotions }) => promotions },
  { name: 'Partners', isFigure: true, cell: ({ applications }) => applications },
  { name: 'File', cell: ({ slug }) => <Export slug={slug} /> },
];

/** What is allowed, but perhaps not meant. */
const Warnings = ({ texts }: { texts: readonly string[] }) =>
  texts.length > 0 && (
    <Alert color="yellow" variant="light" title="Look at this before you apply it">
      {texts.map((text) => (
        <Text size="sm" key={text} className="break">
          {text}
        </Text>
      ))}
    </Alert>
  );

const CatalogChanges = ({ warnings, changes }: CatalogImported) => (
  <>
    <Warnings texts={warnings} />
    <Difference changes={changes} />
  </>
);

const changesLines = ({ added, changed }: BlocksImported | RatesImported): boolean =>
  added + changed > 0;

const linesImported = ({ added, changed }: BlocksImported | RatesImported): string =>
  `${counted(added + changed, 'line')} imported.`;

/** Files in. */
const Imports = () => (
  <>
    <ImportFile<CatalogImported>
      title="Import a catalog file"
      about="You see what would change before it is applied."
      accept="application/json,.json"
      replaceLabel="The file is the whole catalog: withdraw from sale what it does not name"
      run={homes.importCatalog}
      changesAnything={({ changes }) => changesAnything(changes)}
      show={CatalogChanges}
      done={({ catalog }) => `${catalog} is imported.`}
    />
    <ImportFile<RatesImported>
      title="Import rates"
      about="CSV with the columns listing, from, to, price, minNights. Both dates are included. Prices are in units of the currency; in place of price, nightly has them in minor units."
      accept="text/csv,.csv"
      run={homes.importRates}
      changesAnything={changesLines}
      unusualIn={({ unusual }) => unusual}
      show={RateChanges}
      done={linesImported}
    />
    <ImportFile<BlocksImported>
      title="Import blocks"
      about="CSV with the columns listing, from, to, reason. The home is free again on the day “to”."
      accept="text/csv,.csv"
      run={homes.importBlocks}
      changesAnything={changesLines}
      show={BlockChanges}
      done={linesImported}
    />
  </>
);

/** The catalogs, and files in and out. */
export function Catalogs() {
  const query = useQuery(catalogsQuery);
  return (
    <Stack gap="md">
      <PageTitle title="Catalogs" about="What partners sell; import and export of files." />
      <Stack gap="md">
        <Loaded query={query}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No catalog yet">Import a catalog file.</Empty>
            ) : (
              <ItemTable
                caption="Catalogs"
                columns={columns}
                items={items}
                keyOf={({ catalogId }) => catalogId}
              />
            )
          }
        </Loaded>
        {useMay('inventory') && <Imports />}
      </Stack>
    </Stack>
  );
}
