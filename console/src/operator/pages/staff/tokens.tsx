import {
  Button,
  Group,
  MultiSelect,
  NativeSelect,
  NumberInput,
  Stack,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operatorLimits } from '#contract/operator/limits.ts';
import { type OperatorScope, scopesOfRole } from '#contract/operator/roles.ts';
import { ActButton } from '../../../base/components/act-button.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { useFieldErrors } from '../../../base/components/field-errors.ts';
import { Moment } from '../../../base/components/moment.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { PagedTable } from '../../../base/components/paged.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { staff, tokensQuery } from '../../api/staff.ts';
import type { OperatorToken, Role } from '../../api/types.ts';
import { useStepUp } from '../../frame/step-up.tsx';
import { capitalized, productWord } from '../../../base/words/product-words.ts';
import { roleChoices, roleName } from '../../words/roles.ts';
import { ShownOnce } from '../../../base/components/shown-once.tsx';

const { tokenDays, tokenNameLength } = operatorLimits;

interface Values {
  name: string;
  role: Role;
  expiresInDays: number;
  /** Empty: all of its role. */
  scopes: OperatorScope[];
}

function IssueToken() {
  const confirmed = useStepUp();
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: { name: '', role: 'viewer', expiresInDays: tokenDays.default, scopes: [] },
    validate: { name: (text) => (text.trim() === '' ? 'Enter what the token is for' : null) },
  });
  const issuing = useMutation({
    mutationFn: ({ scopes, ...values }: Values) =>
      confirmed(() =>
        staff.issueToken({
          ...values,
          name: values.name.trim(),
          ...(scopes.length > 0 && { scopes }),
        }),
      ),
    meta: { shown: true },
    onSuccess: () => form.reset(),
  });
  const failure = useFieldErrors(form, issuing.error);
  return (
    <Stack gap="sm">
      {issuing.data && (
        <ShownOnce
          what="token"
          value={issuing.data.token}
          about={`For ${issuing.data.name}: Authorization: Bearer …`}
          onDone={issuing.reset}
        />
      )}
      {failure && <Failure error={failure} />}
      <form onSubmit={form.onSubmit((values) => issuing.mutate(values))} noValidate>
        <Group gap="sm" align="flex-end">
          <TextInput
            label="Name"
            placeholder="night report"
            maxLength={tokenNameLength}
            required
            {...form.getInputProps('name')}
          />
          <NativeSelect
            label="Role of the token"
            data={roleChoices}
            {...form.getInputProps('role')}
            onChange={({ currentTarget }) => {
              form.setFieldValue('role', currentTarget.value as Role);
              form.setFieldValue('scopes', []);
            }}
          />
          <MultiSelect
            label="Only these scopes"
            placeholder="all of its role"
            data={scopesOfRole[form.getValues().role].map((value) => ({
              value,
              label: productWord(value),
            }))}
            clearable
            {...form.getInputProps('scopes')}
          />
          <NumberInput
            label="Days"
            w="6rem"
            min={1}
            max={tokenDays.max}
            clampBehavior="strict"
            allowDecimal={false}
            {...form.getInputProps('expiresInDays')}
          />
          <Button type="submit" variant="default" loading={issuing.isPending}>
            Issue
          </Button>
        </Group>
      </form>
    </Stack>
  );
}

const stateColors = { active: 'teal', expired: 'gray', revoked: 'red' } as const;

const columns: readonly Column<OperatorToken>[] = [
  { name: 'Name', cell: ({ name }) => <span className="break">{name}</span> },
  {
    name: 'Role',
    cell: ({ role, scopes }) => (
      <span className="whole">
        {scopes ? `${roleName(role)}: ${scopes.map(productWord).join(', ')}` : roleName(role)}
      </span>
    ),
  },
  {
    name: 'State',
    cell: ({ state }) => (
      <StateBadge words={{ name: capitalized(state), color: stateColors[state] }} />
    ),
  },
  { name: 'Issued', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { name: 'Ends', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  {
    name: 'Action',
    cell: ({ tokenId, name, state }) =>
      state === 'active' && (
        <ActButton
          aria-label={`Revoke ${name}`}
          act={() => staff.revokeToken(tokenId)}
          question={{
            title: `Revoke ${name}?`,
            text: 'The calls of its script are refused at once. This cannot be undone.',
            verb: 'Revoke',
            color: 'red',
          }}
        >
          Revoke
        </ActButton>
      ),
  },
];

/** The tokens of scripts. */
export function Tokens() {
  const [cursor, setCursor] = useState<string>();
  const query = useQuery(tokensQuery(cursor));
  return (
    <Section title="Tokens" about="Scripts call the API with a token. It has a role and an end.">
      <Stack gap="md">
        <IssueToken />
        <PagedTable
          query={query}
          cursor={cursor}
          onGo={setCursor}
          renderNone={() => <Empty title="No tokens">Issue one for each script.</Empty>}
          caption="Tokens"
          columns={columns}
          keyOf={({ tokenId }) => tokenId}
        />
      </Stack>
    </Section>
  );
}
