import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { reservations } from '../../api/reservations.ts';
import { ActForm } from '../../components/act-form.tsx';

const startShown = () => (
  <Text size="sm">A worker asks within seconds. The days between further attempts begin anew.</Text>
);

const stopShown = () => (
  <Text size="sm">Nothing is charged to the card until you start it again. Refunds go on.</Text>
);

/** Opens the dialog that collects again, and asks the card provider again for what it has refused. */
export const openStart = (reference: string): void => {
  modals.open({
    title: `Collect again: ${reference}`,
    children: (
      <ActForm
        act={{
          name: `start ${reference}`,
          input: {},
          preview: async () => null,
          run: ({ reason }) => reservations.start(reference, reason),
          show: startShown,
          label: 'Start',
          done: 'The card provider is asked again.',
        }}
      />
    ),
  });
};

/** Opens the dialog that stops collecting. */
export const openStop = (reference: string): void => {
  modals.open({
    title: `Stop collecting: ${reference}`,
    children: (
      <ActForm
        act={{
          name: `stop ${reference}`,
          input: {},
          preview: async () => null,
          run: ({ reason }) => reservations.stop(reference, reason),
          show: stopShown,
          label: 'Stop',
          done: 'Nothing more is charged to the card.',
        }}
      />
    ),
  });
};
