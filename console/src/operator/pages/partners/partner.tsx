import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { operatorLimits } from '#contract/operator/limits.ts';
import { Facts } from '../../../base/components/facts.tsx';
import { askFirst, type Question } from '../../../base/components/ask-first.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { useFieldErrors } from '../../../base/components/field-errors.ts';
import { TextLink } from '../../../base/components/links.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';
import { productWord } from '../../../base/words/product-words.ts';
import { partners } from '../../api/partners.ts';
import type { ApplicationInFull } from '../../api/types.ts';
import { CatalogName } from '../../components/catalog-name.tsx';
import { useMay } from '../../frame/session.ts';
import { ShownOnce } from '../../../base/components/shown-once.tsx';
import { useStepUp } from '../../frame/step-up.tsx';
import { Conformance } from './conformance.tsx';
import { HandOver } from './hand-over.tsx';
import { Keys } from './keys.tsx';
import { People } from './people.tsx';
import { PartnerFrame } from './partner-frame.tsx';
import { QuotaSection, type SeenVersion } from './quotas.tsx';
import {
  fieldsOfMembers,
  SellingFields,
  sellingInput,
  sellingRules,
  type Selling,
} from './selling-fields.tsx';

function Change({ application, seen }: { application: ApplicationInFull; seen: SeenVersion }) {
  const { applicationId, name, grants, catalog, adjustPercent, reservationsPerDay, portalKeys } =
    application;
  const { commissionPercent, changes } = application;
  const form = useForm<Selling>({
    mode: 'controlled',
    initialValues: {
      name,
      grants,
      catalog: catalog ?? '',
      adjustPercent,
      perDay: reservationsPerDay ?? '',
      commission: commissionPercent ?? '',
      portalKeys,
      cancelsAtOnce: changes === 'cancel',
    },
    validate: sellingRules,
  });
  // It is also allowed above, while this form is open.
  const { setFieldValue } = form;
  const showPortalKeys = useEffectEvent((may: boolean) => setFieldValue('portalKeys', may));
  useEffect(() => showPortalKeys(portalKeys), [portalKeys]);
  const confirmed = useStepUp();
  const changing = useMutation({
    mutationFn: (values: Selling) =>
      confirmed(() => {
        const body = { ...sellingInput(values), expectedVersion: seen.version };
        return partners.change(applicationId, body);
      }),
    meta: { shown: true },
    onSuccess: ({ version }) => {
      seen.set(version);
      notifyDone('Saved. It takes effect within a second.');
    },
  });
  const failure = useFieldErrors(form, changing.error, fieldsOfMembers);
  return (
    <Section title="What it may sell">
      <form onSubmit={form.onSubmit((values) => changing.mutate(values))} noValidate>
        <Stack gap="sm">
          {failure && <Failure error={failure} />}
          <SellingFields form={form} />
          <Group>
            <Button type="submit" variant="default" loading={changing.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function Suspension({
  application: { applicationId, name, state },
}: {
  application: ApplicationInFull;
}) {
  const confirmed = useStepUp();
  const [reason, setReason] = useState('');
  const changing = useMutation({
    mutationFn: () =>
      state === 'active'
        ? partners.suspend(applicationId, reason.trim())
        : confirmed(() => partners.resume(applicationId)),
    onSuccess: () => setReason(''),
  });
  const isActive = state === 'active';
  const suspend: Question = {
    title: `Suspend ${name}?`,
    text: 'Its calls are refused within a second, and its guests can book nothing. Reservations stay as they are.',
    verb: 'Suspend',
    color: 'red',
  };
  return (
    <Section
      title={isActive ? 'Suspend' : 'Resume'}
      about={isActive ? 'Its calls are refused within a second, until you resume it.' : undefined}
    >
      <Group gap="sm" align="flex-end">
        {isActive && (
          <TextInput
            label="Reason, for staff only"
            maxLength={operatorLimits.reasonLength}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        )}
        <Button
          variant="default"
          color={isActive ? 'red' : 'cyan'}
          loading={changing.isPending}
          onClick={() => (isActive ? askFirst(suspend, changing.mutate) : changing.mutate())}
        >
          {isActive ? 'Suspend' : 'Resume'}
        </Button>
      </Group>
    </Section>
  );
}

function Portal({ applicationId }: { applicationId: string }) {
  const confirmed = useStepUp();
  const issuing = useMutation({
    mutationFn: () => confirmed(() => partners.issueLink(applicationId)),
  });
  return (
    <Section
      title="A link without a name"
      about="For a page that embeds the portal, or for once: it opens a session of 12 hours."
    >
      {issuing.data ? (
        <ShownOnce
          what="link"
          value={issuing.data.url}
          about="It opens the portal once, within 24 hours."
          onDone={issuing.reset}
        />
      ) : (
        <Button variant="default" loading={issuing.isPending} onClick={() => issuing.mutate()}>
          Issue a link
        </Button>
      )}
    </Section>
  );
}

function File({ application }: { application: ApplicationInFull }) {
  const canAct = useMay('partners');
  const { applicationId, settlement, suspendedAt, suspendedReason, createdAt } = application;
  // What the forms show stays as it was when the page was opened.
  const [version, set] = useState(application.version);
  const seen = { version, set };
  return (
    <Stack gap="md">
      {suspendedAt !== null && (
        <Alert color="red" variant="light" title="Suspended">
          <Moment at={suspendedAt} /> {suspendedReason}
        </Alert>
      )}
      <Facts
        facts={{
          'Who pays': settlement === 'card' ? 'The guest, by card' : 'The partner',
          Catalog: <CatalogName slug={application.catalog} />,
          Registered: <Moment at={createdAt} />,
          ...(!canAct && { 'Application ID': <span className="mono">{applicationId}</span> }),
          'May use': application.grants.map(productWord).join(', '),
        }}
      />
      {canAct && <HandOver application={application} seen={seen} />}
      <People applicationId={applicationId} canChange={canAct} />
      <QuotaSection application={application} canChange={canAct} seen={seen} />
      <Keys applicationId={applicationId} canChange={canAct} />
      <Conformance application={application} canChange={canAct} seen={seen} />
      {canAct && (
        <>
          <Change application={application} seen={seen} />
          <Portal applicationId={applicationId} />
          <Suspension application={application} />
        </>
      )}
      <TextLink to="/audit" search={{ applicationId }} size="sm">
        What was done to this application
      </TextLink>
    </Stack>
  );
}

/** One application of a partner. */
export const Partner = () => (
  <PartnerFrame>
    {(application) => <File key={application.applicationId} application={application} />}
  </PartnerFrame>
);
