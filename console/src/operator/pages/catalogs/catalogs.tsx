import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ActButton } from '../../../base/components/act-button.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { LoadedTable } from '../../../base/components/loaded-table.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { saveFile } from '../../../base/save-file.ts';
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

const Export = ({ slug }: { slug: string }) => (
  <ActButton
    size="xs"
    act={() => homes.exportCatalog(slug)}
    done={(file) => saveFile(`${slug}.json`, JSON.stringify(file, null, 2), 'application/json')}
  >
    Export
  </ActButton>
);

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
        <LoadedTable
          query={query}
          caption="Catalogs"
          columns={columns}
          keyOf={({ catalogId }) => catalogId}
          none={<Empty title="No catalog yet">Import a catalog file.</Empty>}
        />
        {useMay('inventory') && <Imports />}
      </Stack>
    </Stack>
  );
}
