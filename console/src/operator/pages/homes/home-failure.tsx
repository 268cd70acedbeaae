import { Alert, List, Text } from '@mantine/core';
import { CallFailure } from '../../../base/api/call.ts';
import { asSentence } from '../../../base/components/field-errors.ts';
import { Failure } from '../../../base/components/failure.tsx';
import { wordsOfMember } from './home-form.tsx';

/** What the service says of a home that it does not take: each member by the name of its field. */
export function HomeFailure({ error }: { error: Error }) {
  if (!(error instanceof CallFailure) || error.fields.length === 0)
    return <Failure error={error} />;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title="Not saved: some fields need another value"
    >
      <List size="sm">
        {error.fields.map(({ path, message }) => (
          <List.Item key={`${path} ${message}`} title={path} className="break">
            <Text span fw={600} size="sm">
              {wordsOfMember(path.replace(/^\/listing/, ''))}
            </Text>
            : {asSentence(message)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
