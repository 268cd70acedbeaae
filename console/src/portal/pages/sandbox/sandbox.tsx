import { Stack } from '@mantine/core';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Endings } from './endings.tsx';
import { Faults } from './faults.tsx';
import { InSimulation } from './in-simulation.tsx';
import { Outcome } from './outcome.tsx';

/** What the application orders for its own calls, in the simulation. */
export function Sandbox() {
  return (
    <Stack gap="md">
      <PageTitle
        title="Sandbox"
        about="Order what your program must survive. Only your application sees it. Staff acts are on the page of a booking, deliveries on that of an event."
      />
      <InSimulation>
        {() => (
          <>
            <Faults />
            <Outcome />
            <Endings />
          </>
        )}
      </InSimulation>
    </Stack>
  );
}
