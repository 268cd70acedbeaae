import { Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import {
  type AcceptedChange,
  type ChangeRequest,
  changeRequests,
} from '../../api/change-requests.ts';
import { ActForm } from '../../components/act-form.tsx';
import { GuestAndHome } from '../../components/guest-and-home.tsx';
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

/** Whom a request is about, and what the partner has noted. */
const About = ({ guest, phone, listing, listingName, application, note }: ChangeRequest) => (
  <Stack gap={4}>
    <GuestAndHome {...{ guest, phone, listing, listingName }} />
    <Text size="sm" className="break">
      {note === null ? `${application} has noted nothing.` : `${application}: “${note}”`}
    </Text>
  </Stack>
);

function Accept({ request }: { request: ChangeRequest }) {
  const { changeRequestId, applicationId, reference, kind } = request;
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
    >
      <About {...request} />
    </ActForm>
  );
}

function Decline({ request }: { request: ChangeRequest }) {
  const { changeRequestId, applicationId, reference } = request;
  return (
    <ActForm
      act={{
        name: `decline ${changeRequestId}`,
        input: { applicationId },
        preview: () => Promise.resolve(request),
        run: (given) => changeRequests.decline(changeRequestId, given),
        show: About,
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
