import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import {
  type AcceptedChange,
  type ChangeRequest,
  changeRequests,
} from '../../api/change-requests.ts';
import { ActForm } from '../../components/act-form.tsx';
import { CancellationPreview } from './cancel-dialog.tsx';
import { ChangePreview } from './change-dialog.tsx';

const seenByPartner = 'The partner sees it.';

/** The total that the preview shows, which must still be it when the request is accepted. */
const totalOf = ({ change }: AcceptedChange) =>
  change === null ? {} : { expectedTotal: change.price.after };

function Preview({ cancellation, change }: AcceptedChange) {
  if (cancellation) return <CancellationPreview {...cancellation} />;
  return change && <ChangePreview {...change} />;
}

function Accept({
  request: { changeRequestId, applicationId, reference, kind },
}: {
  request: ChangeRequest;
}) {
  return (
    <ActForm
      act={{
        name: `accept ${changeRequestId}`,
        input: { applicationId },
        preview: (given) => changeRequests.previewAccept(changeRequestId, given),
        run: (given, shown) =>
          changeRequests.accept(changeRequestId, { ...given, ...totalOf(shown) }),
        show: Preview,
        label: kind === 'cancel' ? 'Cancel the reservation' : 'Change the reservation',
        done: `${reference} is as the partner asked.`,
        ...(kind === 'cancel' && { color: 'red' }),
      }}
      reasonFor={seenByPartner}
    />
  );
}

const Note = ({ note }: ChangeRequest) => (
  <Text size="sm">{note ?? 'The partner has noted nothing.'}</Text>
);

function Decline({ request }: { request: ChangeRequest }) {
  const { changeRequestId, applicationId, reference } = request;
  return (
    <ActForm
      act={{
        name: `decline ${changeRequestId}`,
        input: { applicationId },
        preview: () => Promise.resolve(request),
        run: (given) => changeRequests.decline(changeRequestId, given),
        show: Note,
        label: 'Decline the request',
        done: `${reference} stays as it is.`,
      }}
      reasonFor={seenByPartner}
    />
  );
}

/** Opens the dialog that accepts a request. */
export const openAccept = (request: ChangeRequest): void => {
  modals.open({ title: `Accept: ${request.reference}`, children: <Accept request={request} /> });
};

/** Opens the dialog that declines a request. */
export const openDecline = (request: ChangeRequest): void => {
  modals.open({ title: `Decline: ${request.reference}`, children: <Decline request={request} /> });
};
