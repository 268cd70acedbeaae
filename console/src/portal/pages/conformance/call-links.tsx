import { Fragment } from 'react';
import { TextLink } from '../../../base/components/links.tsx';

/** Links to calls, by their request IDs. */
export const CallLinks = ({ requestIds }: { requestIds: readonly string[] }) =>
  requestIds.map((requestId) => (
    <Fragment key={requestId}>
      <TextLink to="/requests/$requestId" params={{ requestId }} size="xs" className="mono break">
        {requestId}
      </TextLink>{' '}
    </Fragment>
  ));
