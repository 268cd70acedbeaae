import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type CsvTable, csvText } from '#contract/csv.ts';

/** Null: there is none, and the page has said why. */
type TableOf = () => CsvTable | Promise<CsvTable | null>;

/** Hands a file to the browser, as a link to it would. */
function save(name: string, table: CsvTable): void {
  const address = URL.createObjectURL(new Blob([csvText(table)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

async function saveFrom(name: string, tableOf: TableOf): Promise<void> {
  const table = await tableOf();
  if (table) save(name, table);
}

/** A button that saves a table as CSV. */
export const SaveCsv = ({
  name,
  isLoading = false,
  tableOf,
}: {
  /** Of the file. */
  name: string;
  isLoading?: boolean;
  tableOf: TableOf;
}) => (
  <Button
    variant="default"
    size="xs"
    leftSection={<IconDownload size={16} aria-hidden />}
    loading={isLoading}
    onClick={() => void saveFrom(name, tableOf)}
  >
    Save as CSV
  </Button>
);
