import { Button, Group, NumberInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { operatorLimits } from '#contract/operator/limits.ts';
import { tiers } from '#contract/limits.ts';
import { Failure } from '../../../base/components/failure.tsx';
import { useFieldErrors } from '../../../base/components/field-errors.ts';
import { notifyDone } from '../../../base/components/notify.tsx';
import { QuotaUse } from '../../../base/components/quota-use.tsx';
import { Section } from '../../../base/components/section.tsx';
import { productWord } from '../../../base/words/product-words.ts';
import { partners } from '../../api/partners.ts';
import type { ApplicationInFull } from '../../api/types.ts';

/** The version that the forms of a page have shown, and what sets it after a change of their own. */
export interface SeenVersion {
  version: number;
  set: (version: number) => void;
}

function ChangeQuotas({
  application: { applicationId, quotas },
  seen,
}: {
  application: ApplicationInFull;
  seen: SeenVersion;
}) {
  const form = useForm({ mode: 'controlled', initialValues: quotas });
  const changing = useMutation({
    mutationFn: (values: typeof quotas) =>
      partners.setQuotas(applicationId, { ...values, expectedVersion: seen.version }),
    meta: { shown: true },
    onSuccess: ({ version }) => {
      seen.set(version);
      notifyDone('Saved. It takes effect within a second.');
    },
  });
  const failure = useFieldErrors(form, changing.error);
  return (
    <form onSubmit={form.onSubmit((values) => changing.mutate(values))} noValidate>
      <Stack gap="sm">
        {failure && <Failure error={failure} />}
        <Group gap="sm" align="flex-end">
          {tiers.map((tier) => (
            <NumberInput
              key={tier}
              label={`${productWord(tier)} a minute`}
              w="9.5rem"
              min={1}
              max={operatorLimits.quota.max}
              allowDecimal={false}
              {...form.getInputProps(tier)}
            />
          ))}
          <Button type="submit" variant="default" loading={changing.isPending}>
            Save quotas
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The quotas of an application, and how much of them is used now. */
export const QuotaSection = ({
  application,
  canChange,
  seen,
}: {
  application: ApplicationInFull;
  canChange: boolean;
  seen: SeenVersion;
}) => {
  const { quotaUse, reservationsPerDay, reservationsToday } = application;
  return (
    <Section title="Quotas" about="Calls per minute, and how many are used just now.">
      <Stack gap="sm">
        {quotaUse.map(({ tier, perMinute, remaining }) => (
          <QuotaUse key={tier} name={productWord(tier)} limit={perMinute} left={remaining} />
        ))}
        {reservationsPerDay !== null && reservationsToday !== null && (
          <QuotaUse
            name="Reservations today (UTC)"
            limit={reservationsPerDay}
            left={Math.max(0, reservationsPerDay - reservationsToday)}
          />
        )}
        {canChange && <ChangeQuotas application={application} seen={seen} />}
      </Stack>
    </Section>
  );
};
