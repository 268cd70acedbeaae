import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type CsvTable, csvText } from '#contract/csv.ts';
import { saveFile } from '../save-file.ts';

/** Null: there is none, and the page has said why. */
type TableOf = () => CsvTable | Promise<CsvTable | null>;

async function saveFrom(name: string, tableOf: TableOf): Promise<void> {
  const table = await tableOf();
  if (table) saveFile(name, csvText(table), 'text/csv');
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
