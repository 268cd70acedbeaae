import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Empty } from '../../../base/components/empty.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { attentionQuery } from '../../api/attention.ts';
import { Waiting } from './waiting.tsx';

/** The one list of what waits for people. */
export function Attention() {
  const query = useQuery(attentionQuery);
  return (
    <Stack gap="md">
      <PageTitle title="Waiting" about="What nobody but you can go on with, longest first." />
      <Loaded query={query}>
        {({ items, hasMore }) =>
          items.length === 0 ? (
            <Empty title="Nothing waits">
              Declined cards, disputes, outcomes that are not known, requests of partners, nights
              that were sold twice, and calendars, webhooks and records that fail appear here.
            </Empty>
          ) : (
            <>
              <Waiting items={items} />
              {hasMore && <Text size="sm">There are more. They appear when these are closed.</Text>}
            </>
          )
        }
      </Loaded>
    </Stack>
  );
}
