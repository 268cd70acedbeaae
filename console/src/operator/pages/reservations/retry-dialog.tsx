import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { reservations } from '../../api/reservations.ts';
import { ActForm } from '../../parts/act-form.tsx';

const shown = () => (
  <Text size="sm">A worker asks within seconds. The days between further attempts begin anew.</Text>
);

/** Opens the dialog that asks the card provider again for what it has refused. */
export const openRetry = (reference: string): void => {
  modals.open({
    title: `Ask the card provider again: ${reference}`,
    children: (
      <ActForm
        act={{
          name: `retry ${reference}`,
          input: {},
          preview: async () => null,
          run: ({ reason }) => reservations.retry(reference, reason),
          show: shown,
          label: 'Ask again',
          done: 'The card provider is asked again.',
        }}
      />
    ),
  });
};
