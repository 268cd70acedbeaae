import { Button, Checkbox, FileInput, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Failure } from '../../../base/components/failure.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';
import type { RatesImported } from '../../api/homes-types.ts';
import { UnusualPrices } from '../../components/unusual-prices.tsx';

const shown = { shown: true };

interface FileToImport {
  file: string;
  dryRun: boolean;
  replace?: boolean;
  allowUnusual?: boolean;
}

/** Imports a file: first what it would change, then exactly what was shown. */
export function ImportFile<Result extends object>({
  title,
  about,
  accept,
  replaceLabel,
  run,
  changesAnything,
  unusualIn,
  show,
  done,
}: {
  title: string;
  about: string;
  accept: string;
  /** Asks whether the file replaces what it does not name; absent: it never does. */
  replaceLabel?: string;
  run: (input: FileToImport) => Promise<Result>;
  changesAnything: (result: Result) => boolean;
  /** The unusual prices, which must be allowed; absent: it has none. */
  unusualIn?: (result: Result) => RatesImported['unusual'];
  show: (result: Result) => ReactNode;
  /** What is said afterwards. */
  done: (result: Result) => string;
}) {
  const [file, setFile] = useState<File | null>(null);
  const [replace, setReplace] = useState(false);
  const [isAllowed, setAllowed] = useState(false);
  const look = useMutation({
    mutationFn: async (chosen: File) => {
      // The file can change on the disk: what was read is what is imported.
      const input = { file: await chosen.text(), ...(replace && { replace }) };
      return { input, result: await run({ ...input, dryRun: true }) };
    },
    meta: shown,
  });
  const apply = useMutation({
    mutationFn: (input: Omit<FileToImport, 'dryRun'>) => run({ ...input, dryRun: false }),
    meta: shown,
    onSuccess: (result) => {
      notifyDone(done(result));
      choose(null);
    },
  });
  const reset = () => {
    setAllowed(false);
    look.reset();
    apply.reset();
  };
  const choose = (chosen: File | null) => {
    setFile(chosen);
    reset();
  };
  const { input, result } = look.data ?? {};
  const found = result && unusualIn?.(result);
  const unusual = found && found.nights > 0 ? found : null;
  const error = look.error ?? apply.error;
  return (
    <Section title={title} about={about}>
      <Stack gap="sm">
        <FileInput
          label="File"
          placeholder="Choose a file"
          accept={accept}
          value={file}
          disabled={apply.isPending}
          onChange={choose}
        />
        {replaceLabel !== undefined && (
          <Checkbox
            label={replaceLabel}
            checked={replace}
            disabled={apply.isPending}
            onChange={({ currentTarget }) => {
              setReplace(currentTarget.checked);
              reset();
            }}
          />
        )}
        <Group gap="xs">
          <Button
            variant="default"
            disabled={!file || apply.isPending}
            loading={look.isPending}
            onClick={() => file && look.mutate(file)}
          >
            Show what would change
          </Button>
          {input && result && changesAnything(result) && (
            <Button
              loading={apply.isPending}
              disabled={unusual !== null && !isAllowed}
              onClick={() => apply.mutate({ ...input, ...(isAllowed && { allowUnusual: true }) })}
            >
              Apply
            </Button>
          )}
        </Group>
        {error && <Failure error={error} />}
        {unusual && <UnusualPrices unusual={unusual} isAllowed={isAllowed} onChange={setAllowed} />}
        {result && show(result)}
      </Stack>
    </Section>
  );
}
