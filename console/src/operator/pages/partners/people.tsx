import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ActButton } from '../../../base/components/act-button.tsx';
import { BrowserName } from '../../../base/components/browser-name.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { EndSession } from '../../../base/components/session-cells.tsx';
import { Section } from '../../../base/components/section.tsx';
import { partners, type PortalPeople, portalPeopleQuery } from '../../api/partners.ts';

type Person = PortalPeople['items'][number];
type Session = Person['sessions'][number] & { who: string };

const lastUsed = ({ sessions }: Person): string | undefined =>
  sessions
    .map(({ seenAt }) => seenAt)
    .toSorted()
    .at(-1);

const personColumns: readonly Column<Person>[] = [
  { name: 'Name', cell: ({ name }) => <span className="break">{name}</span> },
  { name: 'Email', cell: ({ email }) => <span className="break">{email}</span> },
  {
    name: 'Last seen',
    cell: (person) => {
      const at = lastUsed(person);
      return at === undefined ? 'not signed in' : <Moment at={at} />;
    },
  },
];

const sessionColumns: readonly Column<Session>[] = [
  { name: 'Who', cell: ({ who }) => <span className="break">{who}</span> },
  { name: 'Browser', cell: ({ userAgent }) => <BrowserName userAgent={userAgent} /> },
  { name: 'Began', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: 'Last used', cell: ({ seenAt }) => <Moment at={seenAt} /> },
];

const removing = (applicationId: string): Column<Person> => ({
  name: 'Action',
  cell: ({ personId, name, email }) => (
    <ActButton
      aria-label={`Remove ${email}`}
      act={() => partners.removePerson(applicationId, personId)}
      question={{
        title: 'Remove the person?',
        text: `The links and sessions of ${name} (${email}) end at once. The keys of the program stay.`,
        verb: 'Remove',
        color: 'red',
      }}
      done={`${name} is removed.`}
    >
      Remove
    </ActButton>
  ),
});

const ending = (applicationId: string): Column<Session> => ({
  name: 'Action',
  cell: ({ sessionId, who }) => (
    <EndSession end={() => partners.endPortalSession(applicationId, sessionId)} of={who} />
  ),
});

const sessionsOf = ({ items, otherSessions }: PortalPeople): Session[] => [
  ...items.flatMap(({ name, sessions }) => sessions.map((session) => ({ ...session, who: name }))),
  ...otherSessions.map((session) => ({ ...session, who: 'By a plain link' })),
];

/** Who uses the portal of an application, and their sessions. */
export function People({
  applicationId,
  canChange,
}: {
  applicationId: string;
  canChange: boolean;
}) {
  const query = useQuery(portalPeopleQuery(applicationId));
  return (
    <Section title="People in the portal" about="They stay signed in while they use it.">
      <Loaded query={query}>
        {(people) => (
          <Stack gap="md">
            {people.items.length === 0 ? (
              <Text size="sm" c="dimmed">
                Nobody by name yet.
              </Text>
            ) : (
              <ItemTable
                caption="People in the portal"
                columns={canChange ? [...personColumns, removing(applicationId)] : personColumns}
                items={people.items}
                keyOf={({ personId }) => personId}
              />
            )}
            {sessionsOf(people).length > 0 && (
              <Group grow>
                <ItemTable
                  caption="Open sessions"
                  columns={canChange ? [...sessionColumns, ending(applicationId)] : sessionColumns}
                  items={sessionsOf(people)}
                  keyOf={({ sessionId }) => sessionId}
                />
              </Group>
            )}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}
