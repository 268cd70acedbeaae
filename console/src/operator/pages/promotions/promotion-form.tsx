import {
  Button,
  Group,
  Modal,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../../base/components/failure.tsx';
import { fieldErrors } from '../../../base/components/field-errors.ts';
import { notifyDone } from '../../../base/components/notify.tsx';
import { useUnsaved } from '../../../base/components/unsaved.tsx';
import { homes } from '../../api/homes.ts';
import type { Catalogs, ListedPromotion, PromotionContent } from '../../api/homes-types.ts';
import { decimalsOf, majorOf, minorOf } from '../../../base/words/money.ts';

const blank: PromotionContent = { code: '', label: '', percent: 10 };

const textOrNull = (text: string): string | null => text || null;

/** A percentage, or an amount with its currency. */
function Discount({
  draft,
  errorOf,
  onChange,
}: {
  draft: PromotionContent;
  errorOf: (name: string) => string | undefined;
  onChange: (draft: PromotionContent) => void;
}) {
  const { currency = 'EUR', amount } = draft;
  const set = (changes: Partial<PromotionContent>) => onChange({ ...draft, ...changes });
  return (
    <Group grow align="flex-start">
      <Select
        label="Discount"
        data={[
          { value: 'percent', label: 'A percentage' },
          { value: 'amount', label: 'An amount' },
        ]}
        value={amount !== undefined ? 'amount' : 'percent'}
        onChange={(kind) => {
          const { percent: _p, amount: _a, currency: _c, ...others } = draft;
          onChange(
            kind === 'amount'
              ? { ...others, amount: minorOf(10, currency), currency }
              : { ...others, percent: 10 },
          );
        }}
      />
      {amount !== undefined ? (
        <NumberInput
          label={`Amount in ${currency}`}
          min={0}
          decimalScale={decimalsOf(currency)}
          value={majorOf(amount, currency)}
          error={errorOf('amount')}
          onChange={(value) => set({ amount: minorOf(Number(value) || 0, currency) })}
        />
      ) : (
        <NumberInput
          label="Percentage"
          min={0}
          max={100}
          decimalScale={4}
          value={draft.percent ?? ''}
          error={errorOf('percent')}
          onChange={(value) => set({ percent: Number(value) || 0 })}
        />
      )}
      {amount !== undefined && (
        <TextInput
          label="Currency"
          value={currency}
          error={errorOf('currency')}
          onChange={({ currentTarget }) => set({ currency: currentTarget.value.toUpperCase() })}
        />
      )}
    </Group>
  );
}

/** Adds a promotion, or changes one. */
export function PromotionForm({
  initial,
  catalogs,
  onClose,
}: {
  /** What the list has shown when the form was opened. Null: a new one. */
  initial: ListedPromotion | null;
  catalogs: Catalogs['items'];
  onClose: () => void;
}) {
  // What the list shows can change meanwhile.
  const [start] = useState<PromotionContent>(initial?.promotion ?? blank);
  const [draft, setDraft] = useState(start);
  const [catalog, setCatalog] = useState<string>(catalogs[0]?.slug ?? '');
  const save = useMutation({
    mutationFn: () =>
      initial
        ? homes.changePromotion(draft, initial.version)
        : homes.addPromotion({ catalog, promotion: draft }),
    meta: { shown: true },
    onSuccess: ({ promotion }) => {
      notifyDone(`${promotion.code} is saved.`);
      onClose();
    },
  });
  const close = useUnsaved(draft !== start);
  const set = (changes: Partial<PromotionContent>) => setDraft({ ...draft, ...changes });
  const errors = fieldErrors(save.error);
  const errorOf = (name: string) => errors.get(`/promotion/${name}`);
  const date = (name: 'stayFrom' | 'stayTo' | 'bookFrom' | 'bookTo', label: string) => (
    <TextInput
      type="date"
      label={label}
      value={draft[name] ?? ''}
      error={errorOf(name)}
      onChange={({ currentTarget }) => set({ [name]: textOrNull(currentTarget.value) })}
    />
  );
  return (
    <Modal
      opened
      onClose={() => close(onClose)}
      title={initial ? `Change ${initial.promotion.code}` : 'Add a promotion'}
    >
      <Stack gap="sm">
        {!initial && (
          <Select
            label="Catalog"
            data={catalogs.map(({ slug, name }) => ({ value: slug, label: name }))}
            value={catalog}
            onChange={(slug) => slug && setCatalog(slug)}
          />
        )}
        <TextInput
          label="Code"
          description="What the guest enters."
          disabled={initial !== null}
          value={draft.code}
          error={errorOf('code')}
          onChange={({ currentTarget }) => set({ code: currentTarget.value })}
        />
        <TextInput
          label="Label"
          description="On its line of the price."
          value={draft.label}
          error={errorOf('label')}
          onChange={({ currentTarget }) => set({ label: currentTarget.value })}
        />
        <Discount draft={draft} errorOf={errorOf} onChange={setDraft} />
        <Group grow align="flex-start">
          {date('stayFrom', 'First night of a stay')}
          {date('stayTo', 'Last night of a stay')}
        </Group>
        <Group grow align="flex-start">
          {date('bookFrom', 'Usable from')}
          {date('bookTo', 'Usable until')}
        </Group>
        <Group grow align="flex-start">
          <NumberInput
            label="Minimum nights"
            min={1}
            max={90}
            value={draft.minNights ?? 1}
            onChange={(value) => set({ minNights: Number(value) || 1 })}
          />
          <NumberInput
            label="Most uses"
            description="Empty: no limit."
            min={1}
            value={draft.maxUses ?? ''}
            error={errorOf('maxUses')}
            onChange={(value) => set({ maxUses: value === '' ? null : Number(value) })}
          />
        </Group>
        <TagsInput
          label="Only these homes"
          description="Their slugs. Empty: all."
          value={draft.listings ?? []}
          onChange={(slugs) => set({ listings: slugs.length === 0 ? null : slugs })}
        />
        <TagsInput
          label="Only these collections"
          description="Their slugs. Empty: all."
          value={draft.collections ?? []}
          onChange={(slugs) => set({ collections: slugs.length === 0 ? null : slugs })}
        />
        {save.error && <Failure error={save.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => close(onClose)}>
            Cancel
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate()}>
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
