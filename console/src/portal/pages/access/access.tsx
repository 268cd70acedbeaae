import { Stack } from '@mantine/core';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Keys } from './keys.tsx';
import { Sessions } from './sessions.tsx';
import { QuotaSection } from './quota-section.tsx';

/** The quotas and keys of the application. */
export const Access = () => (
  <Stack gap="md">
    <PageTitle title="Access" about="What your program may call, and its keys." />
    <QuotaSection />
    <Keys />
    <Sessions />
  </Stack>
);
