import { Box, Group, Paper, Stack, Text } from '@mantine/core';
import { CodeBlock } from '../components/code-block.tsx';
import { Moment } from '../components/moment.tsx';
import { Section } from '../components/section.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { durationText } from '../words/instants.ts';
import type { Attempt } from './types.ts';
import { attemptErrors } from './words.ts';

const succeeded = { name: 'Succeeded', color: 'teal' };
const failed = { name: 'Failed', color: 'red' };

// It can be cut off, so it is not parsed.
const isJson = (text: string): boolean => /^\s*[[{]/.test(text);

const ResponseBody = ({ response }: { response: string | null }) => {
  if (response === null) return undefined;
  if (response === '') {
    return (
      <Text size="sm" c="dimmed">
        The response had no body.
      </Text>
    );
  }
  return (
    <div>
      <Text size="xs" c="dimmed">
        Response body, at most the first 2 KB
      </Text>
      <Box className="response" tabIndex={0} role="region" aria-label="Response body">
        <CodeBlock code={response} language={isJson(response) ? 'json' : 'plaintext'} />
      </Box>
    </div>
  );
};

const AttemptCard = ({ attempt }: { attempt: Attempt }) => (
  <Paper withBorder p="sm" component="li">
    <Stack gap={6}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          Attempt {attempt.number}
        </Text>
        <StateBadge words={attempt.error === null ? succeeded : failed} />
        {attempt.status !== null && <Text size="sm">Status {attempt.status}</Text>}
        <Text size="sm" c="dimmed" component="span">
          <Moment at={attempt.startedAt} />, took {durationText(attempt.durationMs)}
        </Text>
      </Group>
      {attempt.error && <Text size="sm">{attemptErrors[attempt.error]}.</Text>}
      <ResponseBody response={attempt.response} />
    </Stack>
  </Paper>
);

/** The attempts of a delivery that are kept, newest first, of so many that were made. */
export const Attempts = ({ attempts, made }: { attempts: readonly Attempt[]; made: number }) => (
  <Section title="Attempts">
    {attempts.length === 0 ? (
      <Text size="sm">
        {made === 0 ? 'None yet. The first one is in progress.' : 'They are no longer kept.'}
      </Text>
    ) : (
      <Stack gap="xs" component="ul" className="plain-list">
        {attempts
          .toSorted((one, other) => other.number - one.number)
          .map((attempt) => (
            <AttemptCard key={attempt.number} attempt={attempt} />
          ))}
      </Stack>
    )}
  </Section>
);
