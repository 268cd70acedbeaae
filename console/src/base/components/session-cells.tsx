/** Cells of the tables of sessions: the browser, and the button that ends one. */
import { Badge, Group } from '@mantine/core';
import { ActButton } from './act-button.tsx';
import { BrowserName } from './browser-name.tsx';

/** The browser of a session, and whether it is the one that shows it. */
export const SessionBrowser = ({ userAgent, isThis }: { userAgent: string; isThis: boolean }) => (
  <Group gap="xs">
    <BrowserName userAgent={userAgent} />
    {isThis && (
      <Badge size="sm" radius="sm" variant="light" tt="none" className="badge">
        this one
      </Badge>
    )}
  </Group>
);

/** Ends a session. `of`: whose, where a table has those of several persons. */
export const EndSession = ({ end, of }: { end: () => Promise<unknown>; of?: string }) => (
  <ActButton
    {...(of !== undefined && { 'aria-label': `End the session of ${of}` })}
    act={end}
    {...(of !== undefined && {
      question: {
        title: `End the session of ${of}?`,
        text: 'It is signed out at once, and needs a new link to come back.',
        verb: 'End the session',
        color: 'red',
      },
    })}
    done="The session has ended."
  >
    End
  </ActButton>
);
