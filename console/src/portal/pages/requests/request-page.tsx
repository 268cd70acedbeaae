import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { requestQuery, sessionQuery } from '../../api/queries.ts';
import { CodeBlock } from '../../../base/components/code-block.tsx';
import { InvalidFields } from '../../../base/components/invalid-fields.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Section } from '../../../base/components/section.tsx';
import { CallFacts } from '../../../base/requests/call-facts.tsx';
import type { LoggedRequestInFull } from '../../../base/requests/types.ts';

const Summary = ({ call }: { call: LoggedRequestInFull }) => (
  <CallFacts
    call={call}
    about={
      call.about && (
        <TextLink to="/bookings" search={{ name: call.about }} size="sm" className="mono">
          {call.about}
        </TextLink>
      )
    }
  />
);

const curlOf = ({ method, path }: LoggedRequestInFull, baseUrl: string): string =>
  [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${baseUrl}${path}'`,
    `  -H "Authorization: Bearer $LATCHKEY_TOKEN"`,
    ...(method === 'GET' ? [] : [`  -H 'Content-Type: application/json'`, `  -d @body.json`]),
  ].join(' \\\n');

function Again({ call }: { call: LoggedRequestInFull }) {
  const baseUrl = useQuery(sessionQuery).data?.baseUrl ?? '';
  return (
    <Section
      title="The call with curl"
      about="Without its query and body, which are not logged. Names in braces stand for what you sent."
    >
      <CodeBlock code={curlOf(call, baseUrl)} language="bash" />
    </Section>
  );
}

const RequestView = ({ call }: { call: LoggedRequestInFull }) => (
  <Stack gap="md">
    <PageTitle title={`${call.method} ${call.path}`} />
    {call.message && <Text>{call.message}</Text>}
    <Summary call={call} />
    {call.invalidFields.length > 0 && <InvalidFields fields={call.invalidFields} />}
    <Again call={call} />
  </Stack>
);

/** One call: its response, the reason of a refusal, and the fields that were not valid. */
export function RequestPage() {
  const { requestId } = useParams({ from: '/inside/requests/$requestId' });
  const query = useQuery(requestQuery(requestId));
  return (
    <Stack gap="sm">
      <TextLink to="/requests" search={{}} size="sm">
        ← Requests
      </TextLink>
      <Loaded query={query}>{(call) => <RequestView call={call} />}</Loaded>
    </Stack>
  );
}
