import { Button, FileInput, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../../base/components/failure.tsx';
import { failureBeside, fieldErrors } from '../../../base/components/field-errors.ts';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';
import { homes } from '../../api/homes.ts';
import { HomeChoice } from '../../components/home-choice.tsx';

/** Adds the calendar of another channel to a home, by its address or from a file. */
export function AddCalendar() {
  const [listing, setListing] = useState<string>();
  const [url, setUrl] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const add = useMutation({
    mutationFn: async (home: string) => {
      if (!file) return homes.addCalendar({ listing: home, url: url.trim() });
      return homes.importCalendar({ listing: home, name: file.name, file: await file.text() });
    },
    meta: { shown: true },
    onSuccess: () => {
      notifyDone(file ? 'The file is imported.' : 'It is read within seconds.');
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
