import { Anchor, Code, List, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { deliveriesQuery, deliveryQuery } from '../../api/queries.ts';
import type { Delivery, SignedRequest } from '../../api/types.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ButtonLink, TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { exactInstant } from '../../words/instants.ts';
import { secretVariable, snippets, type Language } from './snippets.ts';

const languages = Object.entries(snippets).map(([value, { name }]) => ({ value, label: name }));

const isLanguage = (value: string | undefined): value is Language =>
  value !== undefined && Object.hasOwn(snippets, value);

const NothingToVerify = () => (
  <Empty title="No delivery to verify yet">
    <Stack gap="sm" align="center">
      <span>
        Once something was sent to an endpoint of yours, its headers and body are filled into the
        code here. A test event will do.
      </span>
      <ButtonLink to="/endpoints" size="xs">
        To the endpoints
      </ButtonLink>
    </Stack>
  </Empty>
);

const Snippet = ({ language, request }: { language: Language; request: SignedRequest }) => {
  const { file, run, syntax, write } = snippets[language];
  return (
    <Stack gap="sm">
      <Text size="sm">
        Save it as <Code>{file}</Code>, put the secret of the endpoint into the environment as{' '}
        <Code>{secretVariable}</Code>, and run <Code>{run}</Code>.
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
              The secret is on the page of its endpoint
            </TextLink>
            <Snippet language={language} request={lastRequest} />
          </Stack>
        ) : (
          <Text size="sm">This delivery was not attempted yet. Choose another one.</Text>
        )
      }
    </Loaded>
  );
}

const nameOf = ({ type, test, lastAttemptAt }: Delivery): string =>
  `${type}${test ? ' (test)' : ''}${lastAttemptAt ? `, ${exactInstant(lastAttemptAt)}` : ''}`;

const Rules = () => (
  <List size="sm" spacing={4}>
    <List.Item>Take the body as it came, before anything parses it.</List.Item>
    <List.Item>Compare in constant time; one signature that fits is enough.</List.Item>
    <List.Item>Refuse a timestamp that is more than five minutes from your clock.</List.Item>
    <List.Item>
      Take each <Code>webhook-id</Code> in only once: the same event may come again.
    </List.Item>
    <List.Item>
      The scheme is that of{' '}
      <Anchor href="https://www.standardwebhooks.com/" rel="noreferrer" target="_blank" size="sm">
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
        about="Code that verifies a delivery of yours. Its own headers and body are filled in."
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
