import { Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Failure } from '../../../base/components/failure.tsx';
import { useFieldErrors } from '../../../base/components/field-errors.ts';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';
import { guests } from '../../api/guests.ts';
import type { GuestErasure, GuestWanted } from '../../api/types.ts';
import { useStepUp } from '../../frame/step-up.tsx';
import { namedBy } from './named-by.ts';

const Preview = ({ erasure: { items, removed, kept } }: { erasure: GuestErasure }) => (
  <Stack gap="xs">
    <Text size="sm">
      {`Erases the guest of ${items.length} bookings, ${removed.notes} notes, ${removed.texts} texts of staff, ${removed.responses} responses of endpoints and ${removed.summaries} texts of other channels. This stays:`}
    </Text>
    <List size="sm">
      {kept.map((text) => (
        <List.Item key={text}>{text}</List.Item>
      ))}
    </List>
  </Stack>
);

/** Erases the person: first what it would do, then, with a reason, for good. */
export function EraseGuest({ wanted, onErased }: { wanted: GuestWanted; onErased: () => void }) {
  const confirmed = useStepUp();
  const named = namedBy(wanted);
  const form = useForm({
    mode: 'controlled',
    initialValues: { reason: '' },
    validate: { reason: (text) => (text.trim() === '' ? 'Say why' : null) },
  });
  const showing = useMutation({
    mutationFn: () => guests.previewErase(named!),
    meta: { shown: true },
  });
  const erasing = useMutation({
    mutationFn: (reason: string) => confirmed(() => guests.erase({ ...named!, reason })),
    meta: { shown: true },
    onSuccess: ({ cardProvider }) => {
      notifyDone(
        cardProvider === 'pending'
          ? 'The person is erased here; the card provider follows.'
          : 'The person is erased.',
      );
      onErased();
    },
  });
  const failure = useFieldErrors(form, erasing.error);
  if (!named) return undefined;
  return (
    <Section title="Erase" about="For good. Refused while a stay is not over or money is open.">
      <Stack gap="sm" align="flex-start">
        <Button
          variant="default"
          size="xs"
          loading={showing.isPending}
          onClick={() => showing.mutate()}
        >
          Show what is erased
        </Button>
        {showing.error && <Failure error={showing.error} />}
        {showing.data && (
          <>
            <Preview erasure={showing.data} />
            {failure && <Failure error={failure} />}
            <form
              onSubmit={form.onSubmit(({ reason }) => erasing.mutate(reason.trim()))}
              noValidate
            >
              <Group gap="sm" align="flex-end">
                <TextInput
                  label="Reason"
                  description="It stays: do not name the person."
                  required
                  {...form.getInputProps('reason')}
                />
                <Button type="submit" color="red" loading={erasing.isPending}>
                  Erase
                </Button>
              </Group>
            </form>
          </>
        )}
      </Stack>
    </Section>
  );
}
