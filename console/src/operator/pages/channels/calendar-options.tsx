import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../../base/components/failure.tsx';
import { failureBeside, fieldErrors } from '../../../base/components/field-errors.ts';
import { notifyDone } from '../../../base/components/notify.tsx';
import { homes } from '../../api/homes.ts';
import type { CalendarChange, ShownCalendar } from '../../api/homes-types.ts';

const ends = [
  { value: 'checkout', label: 'The day of departure' },
  { value: 'night', label: 'The last night' },
];
const freeEvents = [
  { value: 'ignore', label: 'Take no nights' },
  { value: 'count', label: 'Take their nights' },
];

/** The form as text. */
interface Draft {
  ignore: string;
  end: string;
  free: string;
  userAgent: string;
  source: string;
}

const draftOf = ({ options }: ShownCalendar): Draft => ({
  ignore: options.ignore.join('\n'),
  end: options.end,
  free: options.free,
  userAgent: options.userAgent ?? '',
  source: options.source ?? '',
});

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** The members that somebody has changed. */
function changesOf(before: Draft, draft: Draft): CalendarChange {
  const isChanged = (member: keyof Draft) => before[member] !== draft[member];
  return {
    ...(isChanged('ignore') && {
      ignore: draft.ignore
        .split('\n')
        .map((text) => text.trim())
        .filter((text) => text !== ''),
    }),
    ...(isChanged('end') && { end: draft.end as 'checkout' | 'night' }),
    ...(isChanged('free') && { free: draft.free as 'ignore' | 'count' }),
    ...(isChanged('userAgent') && { userAgent: orNull(draft.userAgent) }),
    ...(isChanged('source') && { source: orNull(draft.source) }),
  };
}

/** How the channel means its calendar, and how it is asked for. */
export function CalendarOptions({
  calendar,
  canAct,
}: {
  calendar: ShownCalendar;
  canAct: boolean;
}) {
  // What this form has shown: another person may have changed the calendar since.
  const [seen, setSeen] = useState({ version: calendar.version, draft: draftOf(calendar) });
  const [draft, setDraft] = useState(seen.draft);
  const save = useMutation({
    mutationFn: (changes: CalendarChange) =>
      homes.setCalendar(calendar.calendarId, { ...changes, expectedVersion: seen.version }),
    meta: { shown: true },
    onSuccess: ({ version }) => {
      setSeen({ version, draft });
      notifyDone(
        calendar.file === null
          ? 'It is read with these settings within seconds.'
          : 'The settings hold from the next import of this file on.',
      );
    },
  });
  const field = (member: keyof Draft) => ({
    value: draft[member],
    disabled: !canAct,
    error: fieldErrors(save.error).get(`/${member}`),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      setDraft({ ...draft, [member]: currentTarget.value });
      save.reset();
    },
  });
  const changes = changesOf(seen.draft, draft);
  const failure = failureBeside(save.error, ['/ignore', '/userAgent', '/source']);
  return (
    <Stack gap="sm" maw={560}>
      <Textarea
        label="Texts of events that take no nights"
        description="One a line, the whole text, in any case: for example a notice period. If bookings have the same text, they would be free here."
        autosize
        minRows={1}
        {...field('ignore')}
      />
      <NativeSelect label="The end of an event is" data={ends} {...field('end')} />
      <NativeSelect label="Events that are shown as free" data={freeEvents} {...field('free')} />
      {calendar.file === null && (
        <TextInput
          label="Requests name themselves"
          description="Only if the channel refuses the usual name."
          placeholder="The usual name"
          {...field('userAgent')}
        />
      )}
      <TextInput
        label="Source of outside stays"
        description="The system that tells us by the API what this channel has sold: the same nights are the same stay."
        placeholder="None"
        {...field('source')}
      />
      {failure && <Failure error={failure} />}
      {canAct && (
        <Group>
          <Button
            variant="default"
            disabled={Object.keys(changes).length === 0}
            loading={save.isPending}
            onClick={() => save.mutate(changes)}
          >
            Save the settings
          </Button>
        </Group>
      )}
    </Stack>
  );
}
