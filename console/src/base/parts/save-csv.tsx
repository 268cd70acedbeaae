import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { type CsvTable, csvText } from '../../../../src/contract/csv.ts';

/** Hands a file to the browser, as a link to it would. */
function save(name: string, table: CsvTable): void {
  const address = URL.createObjectURL(new Blob([csvText(table)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
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
  /** Null: there is none, and the page has said why. */
  tableOf: () => CsvTable | Promise<CsvTable | null>;
}) => (
  <Button
    variant="default"
    size="xs"
    leftSection={<IconDownload size={16} aria-hidden />}
    loading={isLoading}
    onClick={() =>
      void Promise.resolve(tableOf()).then((table) => {
        if (table) save(name, table);
      })
    }
  >
    Save as CSV
  </Button>
);
