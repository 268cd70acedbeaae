import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CallFailure } from '../../../base/api/call.ts';
import { Failure } from '../../../base/components/failure.tsx';
import { useFieldErrors } from '../../../base/components/field-errors.ts';
import { notifyUndo } from '../../../base/components/notify.tsx';
import { counted } from '../../../base/words/plural.ts';
import { homes } from '../../api/homes.ts';
import type { CalendarHome, NewBlock } from '../../api/homes-types.ts';
import { dateOf, dayOf, stayText } from '../../words/days.ts';

/** Nights that were chosen in the grid; `to` is the last of them. */
export interface ChosenNights {
  homes: readonly CalendarHome[];
  from: string;
  to: string;
}

const shown = { shown: true };
const dayAfter = (date: string): string => dateOf(dayOf(date) + 1);

const Buttons = ({
  label,
  busy,
  onCancel,
}: {
  label: string;
  busy: boolean;
  onCancel: () => void;
}) => (
  <Group justify="flex-end" gap="xs">
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" loading={busy}>
      {label}
    </Button>
  </Group>
);

/** The homes that were blocked, and those that were not, with why. */
interface Blocked {
  blockIds: string[];
  refused: { name: string; why: string }[];
}

/** Blocks one home after the other: a home whose nights are taken does not keep the others free. */
async function blockEach(
  chosen: readonly CalendarHome[],
  nights: Omit<NewBlock, 'listing'>,
): Promise<Blocked> {
  const blocked: Blocked = { blockIds: [], refused: [] };
  for (const { slug, name } of chosen) {
    try {
      const { blockId } = await homes.addBlock({ listing: slug, ...nights });
      blocked.blockIds.push(blockId);
    } catch (error) {
      if (!(error instanceof CallFailure) || chosen.length === 1) throw error;
      blocked.refused.push({ name, why: error.message });
    }
  }
  return blocked;
}

/** Blocks the chosen nights of all chosen homes. */
export function BlockDialog({ chosen, onClose }: { chosen: ChosenNights; onClose: () => void }) {
  const [home] = chosen.homes;
  const who = chosen.homes.length === 1 ? home!.name : counted(chosen.homes.length, 'home');
  const form = useForm({
    initialValues: { from: chosen.from, to: dayAfter(chosen.to), reason: '' },
    validate: { to: (to, { from }) => (to > from ? null : 'Must be after the first night') },
  });
  const add = useMutation({
    mutationFn: (nights: Omit<NewBlock, 'listing'>) => blockEach(chosen.homes, nights),
    meta: shown,
  });
  const client = useQueryClient();
  const refused = add.data?.refused ?? [];
  const failure = useFieldErrors(form, add.error);
  const submit = form.onSubmit(({ from, to, reason }) =>
    add.mutate(
      { from, to, reason: reason.trim() || null },
      {
        onSuccess: ({ blockIds, refused: others }) => {
          const named = others.length === 0 ? who : counted(blockIds.length, 'home');
          if (blockIds.length > 0) {
            notifyUndo(`${named} blocked: ${stayText(from, to)}.`, async () => {
              for (const blockId of blockIds) await homes.removeBlock(blockId);
              await client.invalidateQueries();
            });
          }
          if (others.length === 0) onClose();
        },
      },
    ),
  );
  return (
    <Modal opened onClose={onClose} title={`Block ${who}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput type="date" label="First night" {...form.getInputProps('from')} />
          <TextInput type="date" label="Free again on" {...form.getInputProps('to')} />
          <TextInput
            label="Reason"
            description="For staff only."
            maxLength={500}
            data-autofocus
            {...form.getInputProps('reason')}
          />
          {refused.length > 0 && (
            <Alert
              color="orange"
              variant="light"
              title={`${counted(refused.length, 'home')} not blocked`}
            >
              {refused.map(({ name, why }) => (
                <Text key={name} size="sm">
                  {name}: {why}
                </Text>
              ))}
            </Alert>
          )}
          {failure && <Failure error={failure} />}
          <Buttons
            label={refused.length > 0 ? 'Try again' : 'Block'}
            busy={add.isPending}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
