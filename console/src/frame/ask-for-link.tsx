import { Code, Text } from '@mantine/core';

/** How somebody comes in: by a link that the operator issues. */
export const AskForLink = () => (
  <>
    <Text size="sm">
      Ask the operator whose homes you offer for a link to the portal, and open it. A link works
      once, within 24 hours, and keeps you in for 12.
    </Text>
    <Text size="sm" c="dimmed">
      For operators: <Code className="break">npm run latchkey -- portal link --application ID</Code>
    </Text>
  </>
);
