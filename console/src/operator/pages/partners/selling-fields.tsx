import { Checkbox, Group, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { limits } from '#contract/limits.ts';
import { operatorLimits } from '#contract/operator/limits.ts';
import { capabilities } from '#contract/scopes.ts';
import { productWord } from '../../../base/words/product-words.ts';
import { catalogsQuery } from '../../api/homes-queries.ts';
import type { Application } from '../../api/types.ts';

const { adjustPercent, commissionPercent, reservationsPerDay } = operatorLimits;

/** What can be set when an application is made and later. */
export interface Selling {
  name: string;
  grants: Application['grants'];
  catalog: string;
  adjustPercent: number;
  /** Empty: no limit. */
  perDay: number | '';
  /** Empty: none. */
  commission: number | '';
  portalKeys: boolean;
  /** Cancellations that the partner asks for happen at once. */
  cancelsAtOnce: boolean;
}

/** The rules of the fields. */
export const sellingRules = {
  name: (text: string) => (text.trim() === '' ? 'Enter the name of the partner' : null),
};

/** The field of a member that has another name than its field. */
export const fieldsOfMembers = {
  '/reservationsPerDay': 'perDay',
  '/commissionPercent': 'commission',
} as const;

/** The values of the fields as the API takes them. */
export const sellingInput = ({
  name,
  grants,
  catalog,
  adjustPercent: percent,
  perDay,
  commission,
  portalKeys,
  cancelsAtOnce,
}: Selling) => ({
  name: name.trim(),
  grants,
  ...(catalog.trim() !== '' && { catalog: catalog.trim() }),
  adjustPercent: percent,
  reservationsPerDay: perDay === '' ? null : perDay,
  commissionPercent: commission === '' ? null : commission,
  portalKeys,
  changes: cancelsAtOnce ? ('cancel' as const) : ('ask' as const),
});

/** The catalog, by name. */
function CatalogField(props: ComponentProps<typeof NativeSelect>) {
  const { items = [] } = useQuery(catalogsQuery).data ?? {};
  const none = { value: '', label: items.length > 1 ? 'Choose one' : 'The only one' };
  const named = items.map(({ slug, name }) => ({ value: slug, label: name }));
  return <NativeSelect {...props} label="Catalog" data={[none, ...named]} />;
}

/** The fields. */
export const SellingFields = <Values extends Selling>({
  form,
}: {
  form: UseFormReturnType<Values>;
}) => (
  <>
    <Group gap="sm" align="flex-start">
      <TextInput
        label="Name"
        maxLength={limits.nameLength}
        required
        {...form.getInputProps('name')}
      />
      <CatalogField {...form.getInputProps('catalog')} />
      <NumberInput
        label="Price change in %"
        min={adjustPercent.min}
        max={adjustPercent.max}
        decimalScale={2}
        {...form.getInputProps('adjustPercent')}
      />
      <NumberInput
        label="Reservations a day"
        placeholder="no limit"
        min={0}
        max={reservationsPerDay.max}
        allowDecimal={false}
        {...form.getInputProps('perDay')}
      />
      <NumberInput
        label="Commission in %"
        placeholder="none"
        min={commissionPercent.min}
        max={commissionPercent.max}
        decimalScale={2}
        {...form.getInputProps('commission')}
      />
    </Group>
    <Checkbox.Group label="Grants" {...form.getInputProps('grants')}>
      <Group gap="md" mt={4}>
        {capabilities.map((one) => (
          <Checkbox key={one} value={one} label={productWord(one)} />
        ))}
      </Group>
    </Checkbox.Group>
    <Checkbox
      label="The partner issues and revokes its keys in the portal"
      {...form.getInputProps('portalKeys', { type: 'checkbox' })}
    />
    <Checkbox
      label="Cancellations that the partner asks for happen at once, by the terms"
      {...form.getInputProps('cancelsAtOnce', { type: 'checkbox' })}
    />
  </>
);
