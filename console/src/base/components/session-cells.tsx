/** Cells of the tables of sessions: the browser, and the button that ends one. */
import { Badge, Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { BrowserName } from './browser-name.tsx';
import { notifyDone } from './notify.tsx';

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
export function EndSession({ end, of }: { end: () => Promise<unknown>; of?: string }) {
  const ending = useMutation({
    mutationFn: end,
    onSuccess: () => notifyDone('The session has ended.'),
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      {...(of !== undefined && { 'aria-label': `End the session of ${of}` })}
      loading={ending.isPending}
      onClick={() => ending.mutate()}
    >
      End
    </Button>
  );
}
