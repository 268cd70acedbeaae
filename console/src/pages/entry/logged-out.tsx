import { Text } from '@mantine/core';
import { AskForLink } from '../../frame/ask-for-link.tsx';
import { Notice } from '../../frame/notice.tsx';

/** Where logging out leads. */
export const LoggedOut = () => (
  <Notice title="You are logged out">
    <Text size="sm">The session is ended in this browser and at the service.</Text>
    <AskForLink />
  </Notice>
);
