import { Alert, Button, FileInput, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../../base/components/failure.tsx';
import { failureBeside, fieldErrors } from '../../../base/components/field-errors.ts';
import { counted } from '../../../base/words/plural.ts';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';
import { homes } from '../../api/homes.ts';
import type { CalendarImported } from '../../api/homes-types.ts';
import { HomeChoice } from '../../components/home-choice.tsx';

/** What a file has blocked: nights that are taken by somebody else are no success. */
function Imported({ added, removed, unchanged, conflicts, problems }: CalendarImported) {
  const isGood = conflicts === 0 && problems.length === 0;
  return (
    <Alert
      color={isGood ? 'teal' : 'orange'}
      variant="light"
      role={isGood ? 'status' : 'alert'}
      title={isGood ? 'The file is imported' : 'The file is imported, but not all of it'}
    >
      <Text size="sm">
        {counted(added, 'block')} added, {removed} removed, {unchanged} unchanged.
      </Text>
      {conflicts > 0 && (
        <Text size="sm">
          {counted(conflicts, 'conflict')}: somebody else has these nights. They are listed above.
          Where two guests have them, talk to one of them.
        </Text>
      )}
      {problems.length > 0 && (
        <List size="sm">
          {problems.map(({ line, uid, message }) => (
            <List.Item key={`${line} ${uid} ${message}`}>
              {line !== null && `Line ${line}: `}
              {message}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

/** Adds the calendar of another channel to a home, by its address or from a file. */
export function AddCalendar() {
  const [listing, setListing] = useState<string>();
  const [url, setUrl] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const add = useMutation({
    mutationFn: async (home: string) => {
      if (!file) {
        await homes.addCalendar({ listing: home, url: url.trim() });
        return null;
      }
      return homes.importCalendar({ listing: home, name: file.name, file: await file.text() });
    },
    meta: { shown: true },
    onSuccess: () => {
      if (!file) notifyDone('It is read within seconds.');
      setUrl('');
      setFile(null);
    },
  });
  const failure = failureBeside(add.error, ['/url']);
  return (
    <Section
      title="Add a calendar"
      about="Its nights are blocked here. Read regularly, or once from a file."
    >
      <Stack gap="sm">
        <HomeChoice label="Home" value={listing} onChoose={setListing} />
        <TextInput
          label="Address"
          placeholder="https://channel.example/calendar.ics"
          value={url}
          error={fieldErrors(add.error).get('/url')}
          disabled={file !== null}
          onChange={({ currentTarget }) => {
            setUrl(currentTarget.value);
            add.reset();
          }}
        />
        <FileInput
          label="Or a file"
          placeholder="Choose a file"
          accept=".ics,text/calendar"
          clearable
          value={file}
          onChange={(chosen) => {
            setFile(chosen);
            add.reset();
          }}
        />
        {failure && <Failure error={failure} />}
        {add.data && <Imported {...add.data} />}
        <Group>
          <Button
            disabled={listing === undefined || (url.trim() === '' && !file)}
            loading={add.isPending}
            onClick={() => listing !== undefined && add.mutate(listing)}
          >
            Add
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
