import { Button, List, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';
import { guests } from '../../api/guests.ts';
import type { GuestErasure, GuestWanted } from '../../api/types.ts';
import { ActForm } from '../../components/act-form.tsx';
import { namedBy } from './named-by.ts';

type Named = NonNullable<ReturnType<typeof namedBy>>;

const Preview = ({ bookings, removed, kept }: GuestErasure) => (
  <Stack gap="xs">
    <Text size="sm">
      {`Erases the guest of ${bookings} bookings, ${removed.notes} notes, ${removed.texts} texts of staff, ${removed.responses} responses of endpoints and ${removed.summaries} texts of other channels. This stays:`}
    </Text>
    <List size="sm">
      {kept.map((text) => (
        <List.Item key={text}>{text}</List.Item>
      ))}
    </List>
  </Stack>
);

/** Opens the dialog that erases the person for good. */
const openErase = (named: Named, onErased: () => void): void => {
  modals.open({
    title: 'Erase for good',
    children: (
      <ActForm
        act={{
          name: `erase ${JSON.stringify(named)}`,
          input: named,
          preview: guests.previewErase,
          run: guests.erase,
          show: Preview,
          label: 'Erase',
          done: ({ cardProvider }) => {
            notifyDone(
              cardProvider === 'pending'
                ? 'The person is erased here; the card provider follows.'
                : 'The person is erased.',
            );
            onErased();
          },
          color: 'red',
        }}
        reasonFor="It stays: do not name the person."
      />
    ),
  });
};

/** Erases the person, by email or one reservation. */
export function EraseGuest({ wanted, onErased }: { wanted: GuestWanted; onErased: () => void }) {
  const named = namedBy(wanted);
  if (!named) return undefined;
  return (
    <Section title="Erase" about="For good. Refused while a stay is not over or money is open.">
      <Button variant="default" size="xs" onClick={() => openErase(named, onErased)}>
        Show what is erased
      </Button>
    </Section>
  );
}
