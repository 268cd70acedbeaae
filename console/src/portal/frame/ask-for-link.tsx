import { Code, Text } from '@mantine/core';

/** Explains how to get a link from the operator. */
export const AskForLink = () => (
  <>
    <Text size="sm">
      Ask the operator of the homes for a link to the portal, and open it. A link works once, within
      24 hours. With a link in your name you stay signed in.
    </Text>
    <Text size="sm" c="dimmed">
      For operators: <Code className="break">npm run latchkey -- portal link --application ID</Code>
    </Text>
  </>
);
