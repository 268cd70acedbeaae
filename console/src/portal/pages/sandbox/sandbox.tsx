import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Empty } from '../../../base/components/empty.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { sessionQuery } from '../../api/queries.ts';
import { Endings } from './endings.tsx';
import { Faults } from './faults.tsx';
import { Outcome } from './outcome.tsx';

/** What the application orders for its own calls, in the simulation. */
export function Sandbox() {
  const environment = useQuery(sessionQuery).data?.environment;
  return (
    <Stack gap="md">
      <PageTitle
        title="Sandbox"
        about="Order what your program must survive. Only your application sees it. Staff acts are on the page of a booking, deliveries on that of an event."
      />
      {environment === 'simulation' ? (
        <>
          <Faults />
          <Outcome />
          <Endings />
        </>
      ) : (
        <Empty title="Only in the simulation">Nothing can be ordered here.</Empty>
      )}
    </Stack>
  );
}
