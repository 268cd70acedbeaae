import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { operatorLimits } from '#contract/operator/limits.ts';
import { ActButton } from '../../../base/components/act-button.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { Section } from '../../../base/components/section.tsx';
import { useUnsaved } from '../../../base/components/unsaved.tsx';
import { type Reservation, reservations } from '../../api/reservations.ts';
import { useMay } from '../../frame/session.ts';

/** A note, as the history of a reservation has it. */
interface Note {
  at: string;
  actor: string;
  noteId: string;
  text: string;
}

const isNote = (item: { what: string }): item is Note & { what: 'note' } => item.what === 'note';

const removal = {
  title: 'Remove the note',
  text: 'It is removed for everybody, permanently.',
  verb: 'Remove',
  color: 'red',
} as const;

function AddNote({ reference }: { reference: string }) {
  const [text, setText] = useState('');
  useUnsaved(text.trim() !== '');
  const adding = useMutation({
    mutationFn: (note: string) => reservations.addNote(reference, note),
    meta: { shown: true },
    // What was typed meanwhile stays.
    onSuccess: (_, note) => setText((now) => (now.trim() === note ? '' : now)),
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') adding.mutate(text.trim());
      }}
    >
      <Stack gap="xs">
        <Textarea
          label="New note"
          description="For colleagues only: the partner and the guest never see it."
          maxLength={operatorLimits.noteLength}
          autosize
          minRows={2}
          maxRows={12}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        {adding.error && <Failure error={adding.error} />}
        <Group>
          <Button
            type="submit"
            size="xs"
            variant="default"
            loading={adding.isPending}
            disabled={text.trim() === ''}
          >
            Add note
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What staff have noted about a reservation, newest first, and a form for one more. */
export function Notes({ reference, history }: Pick<Reservation, 'reference' | 'history'>) {
  const canAct = useMay('reservations');
  const notes = history.filter(isNote).toReversed();
  return (
    <Section title="Notes">
      <Stack gap="sm">
        {canAct && <AddNote reference={reference} />}
        {notes.length === 0 && !canAct && (
          <Text size="sm" c="dimmed">
            There are none.
          </Text>
        )}
        {notes.map(({ noteId, at, actor, text }) => (
          <Stack key={noteId} gap={4} component="article" aria-label={`Note of ${actor}`}>
            <Text size="sm" className="break lines">
              {text}
            </Text>
            <Group gap="xs" justify="space-between">
              <Text size="xs" c="dimmed" className="break">
                {actor}, <Moment at={at} />
              </Text>
              {canAct && (
                <ActButton
                  aria-label="Remove this note"
                  act={() => reservations.removeNote(reference, noteId)}
                  question={removal}
                >
                  Remove
                </ActButton>
              )}
            </Group>
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}
