import { Alert, Button, Checkbox, FileInput, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Empty } from '../../../base/components/empty.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { counted } from '../../../base/words/plural.ts';
import { homes } from '../../api/homes.ts';
import { catalogsQuery } from '../../api/homes-queries.ts';
import type {
  BlocksImported,
  Catalogs as CatalogList,
  RatesImported,
} from '../../api/homes-types.ts';
import { UnusualPrices } from '../../components/unusual-prices.tsx';
import { useMay } from '../../frame/session.ts';
import { BlockChanges, RateChanges } from './csv-changes.tsx';
import { changesAnything, Difference } from './difference.tsx';

const shown = { shown: true };

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

/** Imports a catalog file: first what it would change, then the import. */
function ImportCatalog() {
  const [file, setFile] = useState<File | null>(null);
  const [replace, setReplace] = useState(false);
  const look = useMutation({
    mutationFn: async () =>
      homes.importCatalog({ file: await file!.text(), replace, dryRun: true }),
    meta: shown,
  });
  const apply = useMutation({
    mutationFn: async () => homes.importCatalog({ file: await file!.text(), replace }),
    meta: shown,
    onSuccess: ({ catalog }) => {
      notifyDone(`${catalog} is imported.`);
      setFile(null);
      look.reset();
    },
  });
  const reset = () => {
    look.reset();
    apply.reset();
  };
  return (
    <Section title="Import a catalog file" about="You see what would change before it is applied.">
      <Stack gap="sm">
        <FileInput
          label="File"
          placeholder="Choose a file"
          accept="application/json,.json"
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            reset();
          }}
        />
        <Checkbox
          label="The file is the whole catalog: withdraw from sale what it does not name"
          checked={replace}
          onChange={({ currentTarget }) => {
            setReplace(currentTarget.checked);
            reset();
          }}
        />
        <Group gap="xs">
          <Button
            variant="default"
            disabled={!file}
            loading={look.isPending}
            onClick={() => look.mutate()}
          >
            Show what would change
          </Button>
          {look.data && changesAnything(look.data.changes) && (
            <Button loading={apply.isPending} onClick={() => apply.mutate()}>
              Apply
            </Button>
          )}
        </Group>
        {(look.error ?? apply.error) && <Failure error={(look.error ?? apply.error)!} />}
        {look.data && <Warnings texts={look.data.warnings} />}
        {look.data && <Difference changes={look.data.changes} />}
      </Stack>
    </Section>
  );
}

/** What every import of a spreadsheet tells. */
interface CsvResult {
  added: number;
  changed: number;
  unusual?: RatesImported['unusual'];
}

/** Imports a spreadsheet: first what it would change, then the import. */
function ImportCsv<Result extends CsvResult>({
  title,
  about,
  run,
  show,
}: {
  title: string;
  about: string;
  run: (input: { file: string; dryRun: boolean; allowUnusual?: boolean }) => Promise<Result>;
  show: (result: Result) => ReactNode;
}) {
  const [file, setFile] = useState<File | null>(null);
  const [isAllowed, setAllowed] = useState(false);
  const look = useMutation({
    mutationFn: async () => run({ file: await file!.text(), dryRun: true }),
    meta: shown,
  });
  const apply = useMutation({
    mutationFn: async () => {
      const allowed = isAllowed ? { allowUnusual: true } : {};
      return run({ file: await file!.text(), dryRun: false, ...allowed });
    },
    meta: shown,
    onSuccess: ({ added, changed }) => {
      notifyDone(`${counted(added + changed, 'line')} imported.`);
      setFile(null);
      look.reset();
    },
  });
  const error = look.error ?? apply.error;
  const unusual = look.data?.unusual?.nights ? look.data.unusual : null;
  return (
    <Section title={title} about={about}>
      <Stack gap="sm">
        <FileInput
          label="File"
          placeholder="Choose a file"
          accept="text/csv,.csv"
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            setAllowed(false);
            look.reset();
            apply.reset();
          }}
        />
        <Group gap="xs">
          <Button
            variant="default"
            disabled={!file}
            loading={look.isPending}
            onClick={() => look.mutate()}
          >
            Show what would change
          </Button>
          {look.data && look.data.added + look.data.changed > 0 && (
            <Button
              loading={apply.isPending}
              disabled={unusual !== null && !isAllowed}
              onClick={() => apply.mutate()}
            >
              Apply
            </Button>
          )}
        </Group>
        {error && <Failure error={error} />}
        {unusual && <UnusualPrices unusual={unusual} isAllowed={isAllowed} onChange={setAllowed} />}
        {look.data && show(look.data)}
      </Stack>
    </Section>
  );
}

/** Files in. */
const Imports = () => (
  <>
    <ImportCatalog />
    <ImportCsv<RatesImported>
      title="Import rates"
      about="CSV with the columns listing, from, to, price, minNights. Both dates are included. Prices are in units of the currency; in place of price, nightly has them in minor units."
      run={homes.importRates}
      show={RateChanges}
    />
    <ImportCsv<BlocksImported>
      title="Import blocks"
      about="CSV with the columns listing, from, to, reason. The home is free again on the day “to”."
      run={homes.importBlocks}
      show={BlockChanges}
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
