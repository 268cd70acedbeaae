import { Text } from '@mantine/core';
import { AskForLink } from '../../frame/ask-for-link.tsx';
import { Notice } from '../../../base/components/notice.tsx';

/** The page after logout. */
export const LoggedOut = () => (
  <Notice title="You are logged out">
    <Text size="sm">The session has ended in this browser. To return, you need a new link.</Text>
    <AskForLink />
  </Notice>
);
