import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Copy } from '../../../base/components/copy.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { reservations } from '../../api/reservations.ts';
import { useStepUp } from '../../frame/step-up.tsx';

function LinkForm({ reference }: { reference: string }) {
  const confirmed = useStepUp();
  const cache = useQueryClient();
  const making = useMutation({
    mutationFn: () => confirmed(() => reservations.link(reference)),
    meta: { shown: true },
    onSuccess: () => cache.invalidateQueries({ queryKey: ['payment', reference] }),
  });
  const { data: link, error, isPending } = making;
  return (
    <Stack gap="sm">
      <Text size="sm">
        The guest pays on a page of the card provider, with any card: what is due by today, or all
        that is open where nothing is due yet. While the page is open, nothing of that is charged to
        the card.
      </Text>
      {error && <Failure error={error} />}
      {link && (
        <Alert
          variant="light"
          title={`Send this to the guest: ${moneyText(link.amount, link.currency)}`}
        >
          <Stack gap={4}>
            <Group gap={4} wrap="nowrap">
              <Code className="break">{link.url}</Code>
              <Copy value={link.url} what="payment link" />
            </Group>
            <Text size="sm">
              It can be paid until <Moment at={link.expiresAt} />.
            </Text>
          </Stack>
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => modals.closeAll()}>
          Close
        </Button>
        {!link && (
          <Button loading={isPending} onClick={() => making.mutate()}>
            Make the link
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Opens the dialog that makes a payment link. */
export const openLink = (reference: string): void => {
  modals.open({
    title: `Payment link: ${reference}`,
    children: <LinkForm reference={reference} />,
  });
};
