import { TextLink } from '../../../base/components/links.tsx';
import { EndpointState } from '../../../base/webhooks/endpoint-state.tsx';
import type { Endpoint } from '../../api/types.ts';

/** The state of an endpoint, with links to its failed deliveries. */
export const OwnEndpointState = ({ endpoint }: { endpoint: Endpoint }) => (
  <EndpointState
    endpoint={endpoint}
    renderDeliveriesLink={(state, text) => (
      <TextLink to="/deliveries" search={{ endpointId: endpoint.endpointId, state }} size="sm">
        {text}
      </TextLink>
    )}
  />
);
