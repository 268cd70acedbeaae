import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Breakable } from '../../../base/components/breakable.tsx';
import { InvalidFields } from '../../../base/components/invalid-fields.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { CallFacts } from '../../../base/requests/call-facts.tsx';
import type { LoggedRequestInFull } from '../../../base/requests/types.ts';
import { requestQuery } from '../../api/webhooks.ts';
import { PartnerFrame } from './partner-frame.tsx';

const Call = ({ call }: { call: LoggedRequestInFull }) => (
  <Stack gap="md">
    <Title order={2} size="h4">
      {call.method} <Breakable text={call.path} />
    </Title>
    {call.message && <Text>{call.message}</Text>}
    <CallFacts call={call} about={call.about && <span className="mono">{call.about}</span>} />
    {call.invalidFields.length > 0 && <InvalidFields fields={call.invalidFields} />}
  </Stack>
);

function Request({ applicationId }: { applicationId: string }) {
  const { requestId } = useParams({ from: '/inside/partners/$applicationId/requests/$requestId' });
  const query = useQuery(requestQuery(applicationId, requestId));
  return (
    <Stack gap="sm">
      <TextLink to="/partners/$applicationId/requests" params={{ applicationId }} size="sm">
        ← Requests
      </TextLink>
      <Loaded query={query}>{(call) => <Call call={call} />}</Loaded>
    </Stack>
  );
}

/** One call of an application: its response, the reason of a refusal, the fields that were not valid. */
export const PartnerRequest = () => (
  <PartnerFrame>{({ applicationId }) => <Request applicationId={applicationId} />}</PartnerFrame>
);
