import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { LoadedTable } from '../../../base/components/loaded-table.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { EndSession, SessionBrowser } from '../../../base/components/session-cells.tsx';
import { ShownOnce } from '../../../base/components/shown-once.tsx';
import { portal } from '../../api/portal.ts';
import { ownSessionsQuery, sessionQuery } from '../../api/queries.ts';
import type { OwnSession } from '../../api/types.ts';

const columns: readonly Column<OwnSession>[] = [
  {
    name: 'Browser',
    cell: ({ userAgent, isThis }) => <SessionBrowser userAgent={userAgent} isThis={isThis} />,
  },
  { name: 'Began', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: 'Last used', cell: ({ seenAt }) => <Moment at={seenAt} /> },
  { name: 'Ends', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  {
    name: 'Action',
    cell: ({ sessionId, isThis }) =>
      !isThis && <EndSession end={() => portal.endOwnSession(sessionId)} />,
  },
];

/** A link for another browser of the person. */
function AnotherBrowser() {
  const issuing = useMutation({ mutationFn: portal.issueOwnLink });
  if (issuing.data) {
    return (
      <ShownOnce
        what="link"
        value={issuing.data.url}
        about="Open it in the other browser: it signs you in there, once, within 24 hours."
        onDone={issuing.reset}
      />
    );
  }
  return (
    <Group>
      <Button variant="default" loading={issuing.isPending} onClick={() => issuing.mutate()}>
        Sign in on another device
      </Button>
    </Group>
  );
}

/** Where the person is signed in; for a session of nobody by name, only that it ends. */
export function Sessions() {
  const person = useQuery(sessionQuery).data?.person;
  const query = useQuery(ownSessionsQuery);
  if (!person) {
    return (
      <Section title="Your session">
        <Text size="sm">
          It ends after 12 hours. Ask the operator for a link in your name to stay signed in.
        </Text>
      </Section>
    );
  }
  return (
    <Section title="Your sessions" about={`${person.name}, ${person.email}`}>
      <Stack gap="sm">
        <LoadedTable
          query={query}
          caption="Your sessions"
          columns={columns}
          keyOf={({ sessionId }) => sessionId}
        />
        <AnotherBrowser />
      </Stack>
    </Section>
  );
}
