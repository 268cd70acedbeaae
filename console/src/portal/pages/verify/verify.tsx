import { Anchor, Code, List, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { deliveriesQuery, deliveryQuery } from '../../api/queries.ts';
import type { Delivery, SignedRequest } from '../../api/types.ts';
import { CodeBlock } from '../../../base/components/code-block.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { ButtonLink, TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { instantText } from '../../../base/words/dates.ts';
import { secretVariable, snippets, type Language } from './snippets.ts';

const languages = Object.entries(snippets).map(([value, { name }]) => ({ value, label: name }));

const isLanguage = (value: string | undefined): value is Language =>
  value !== undefined && Object.hasOwn(snippets, value);

const NothingToVerify = () => (
  <Empty title="No delivery to verify yet">
    <Stack gap="sm" align="center">
      <span>
        After the first delivery to one of your endpoints, this page shows code with its headers and
        body. A test event is enough.
      </span>
      <ButtonLink to="/endpoints" size="xs">
        Show the endpoints
      </ButtonLink>
    </Stack>
  </Empty>
);

const Snippet = ({ language, request }: { language: Language; request: SignedRequest }) => {
  const { file, run, syntax, write } = snippets[language];
  return (
    <Stack gap="sm">
      <Text size="sm">
        Save it as <Code>{file}</Code>, set the environment variable <Code>{secretVariable}</Code>{' '}
        to the endpoint’s secret, and run <Code>{run}</Code>.
      </Text>
      <CodeBlock code={write(request)} language={syntax} />
    </Stack>
  );
};

function Chosen({ deliveryId, language }: { deliveryId: string; language: Language }) {
  const query = useQuery(deliveryQuery(deliveryId));
  return (
    <Loaded query={query}>
      {({ endpointId, lastRequest }) =>
        lastRequest ? (
          <Stack gap="sm">
            <TextLink to="/endpoints/$endpointId" params={{ endpointId }} size="sm">
              Show the endpoint’s page, which has the secret
            </TextLink>
            <Snippet language={language} request={lastRequest} />
          </Stack>
        ) : (
          <Text size="sm">This delivery has no attempt yet. Choose another one.</Text>
        )
      }
    </Loaded>
  );
}

const nameOf = ({ type, test, lastAttemptAt }: Delivery): string =>
  `${type}${test ? ' (test)' : ''}${lastAttemptAt ? `, ${instantText(lastAttemptAt)}` : ''}`;

const Rules = () => (
  <List size="sm" spacing={4}>
    <List.Item>Use the body as received, before it is parsed.</List.Item>
    <List.Item>Compare in constant time. One matching signature is enough.</List.Item>
    <List.Item>
      Refuse a timestamp that differs from your clock by more than five minutes.
    </List.Item>
    <List.Item>
      Process each <Code>webhook-id</Code> only once: an event can be delivered more than once.
    </List.Item>
    <List.Item>
      The scheme is that of{' '}
      <Anchor
        href="https://www.standardwebhooks.com/"
        rel="noreferrer"
        target="_blank"
        size="sm"
        underline="always"
      >
        Standard Webhooks
      </Anchor>
      , so its libraries verify these deliveries too.
    </List.Item>
  </List>
);

/** Code that verifies a real delivery of the partner. */
export function Verify() {
  const search = useSearch({ from: '/inside/verify' });
  const navigate = useNavigate();
  const query = useQuery(deliveriesQuery({}));
  const language = isLanguage(search.language) ? search.language : 'javascript';
  const attempted = (query.data?.items ?? []).filter(({ lastAttemptAt }) => lastAttemptAt !== null);
  const deliveryId = search.deliveryId ?? attempted[0]?.deliveryId;
  const choices = attempted.map((one) => ({ value: one.deliveryId, label: nameOf(one) }));
  const isListed = choices.some(({ value }) => value === deliveryId);
  const go = (change: { deliveryId?: string; language?: string }) =>
    void navigate({ to: '/verify', search: { ...search, ...change }, replace: true });
  return (
    <Stack gap="md">
      <PageTitle
        title="Verify"
        about="Code that verifies one of your deliveries, with its headers and body."
      />
      <Loaded query={query}>
        {() =>
          deliveryId === undefined ? (
            <NothingToVerify />
          ) : (
            <Stack gap="md">
              <NativeSelect
                label="Delivery"
                size="xs"
                maw="32rem"
                value={deliveryId}
                onChange={({ currentTarget }) => go({ deliveryId: currentTarget.value })}
                data={
                  isListed
                    ? choices
                    : [{ value: deliveryId, label: `Delivery ${deliveryId}` }, ...choices]
                }
              />
              <SegmentedControl
                aria-label="Language"
                size="xs"
                data={languages}
                value={language}
                onChange={(chosen) => go({ language: chosen })}
                className="language"
              />
              <Chosen deliveryId={deliveryId} language={language} />
            </Stack>
          )
        }
      </Loaded>
      <Rules />
    </Stack>
  );
}
