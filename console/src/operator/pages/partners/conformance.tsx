import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Facts } from '../../../base/components/facts.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';
import { partners } from '../../api/partners.ts';
import type { ApplicationInFull } from '../../api/types.ts';
import { useStepUp } from '../../frame/step-up.tsx';
import type { SeenVersion } from './quotas.tsx';

const results = {
  passed: 'passed',
  failed: 'failed',
  incomplete: 'incomplete: not every scenario was judged',
} as const;

function LastRun({ run }: { run: ApplicationInFull['conformance'] }) {
  if (!run) return <Text size="sm">No run is known.</Text>;
  return (
    <Facts
      facts={{
        Result: results[run.state],
        Ended: <Moment at={run.finishedAt} />,
        Profile: run.profile,
        'Wire version': run.wireVersion,
        Contract: <span className="mono">{run.contractDigest}</span>,
        Run: <span className="mono">{run.runId}</span>,
      }}
    />
  );
}

/** The last conformance run of a partner, and whether a key of `live` needs one. */
export function Conformance({
  application: { applicationId, conformance, requireReport },
  canChange,
  seen,
}: {
  application: ApplicationInFull;
  canChange: boolean;
  seen: SeenVersion;
}) {
  const confirmed = useStepUp();
  const changing = useMutation({
    mutationFn: () =>
      confirmed(() => {
        const body = { requireReport: !requireReport, expectedVersion: seen.version };
        return partners.change(applicationId, body);
      }),
    meta: { shown: true },
    onSuccess: ({ version }) => {
      seen.set(version);
      notifyDone('Saved.');
    },
  });
  return (
    <Section
      title="Conformance"
      about="Whether the program of the partner is correct, as the sandbox has judged it."
    >
      <Stack gap="sm">
        <LastRun run={conformance} />
        <Text size="sm">
          {requireReport
            ? 'A key of live needs a verified report.'
            : 'A key of live needs no report.'}
        </Text>
        {changing.error && <Failure error={changing.error} />}
        {canChange && (
          <Group>
            <Button
              variant="default"
              loading={changing.isPending}
              onClick={() => changing.mutate()}
            >
              {requireReport ? 'Require no report' : 'Require a report'}
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
