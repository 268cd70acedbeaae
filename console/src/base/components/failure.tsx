import { Alert, Button, Group, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { CallFailure } from '../api/call.ts';
import { withDayTexts } from '../words/dates.ts';
import { capitalized, memberWords } from '../words/product-words.ts';
import { Copy } from './copy.tsx';

const FailureDetail = ({ failure }: { failure: CallFailure }) => (
  <>
    {failure.fields.length > 0 && (
      <List size="sm">
        {failure.fields.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`}>
            <span title={path}>{capitalized(memberWords(path) || 'it')}</span>{' '}
            {withDayTexts(message)}.
          </List.Item>
        ))}
      </List>
    )}
    {failure.requestId && (
      <Group gap={4}>
        <Text size="xs" className="break">
          Request ID <span className="mono">{failure.requestId}</span>
        </Text>
        <Copy value={failure.requestId} what="request ID" />
      </Group>
    )}
  </>
);

/** An error of the service, with its request ID and an optional retry. */
export const Failure = ({ error, onRetry }: { error: Error; onRetry?: () => void }) => (
  <Alert
    color="red"
    variant="light"
    icon={<IconAlertTriangle size={18} aria-hidden />}
    title={withDayTexts(error.message)}
    role="alert"
  >
    {error instanceof CallFailure && <FailureDetail failure={error} />}
    {onRetry && (
      <Button size="xs" variant="default" mt="xs" onClick={onRetry}>
        Try again
      </Button>
    )}
  </Alert>
);
