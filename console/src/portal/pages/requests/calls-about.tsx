import { useQuery } from '@tanstack/react-query';
import { requestsQuery } from '../../api/queries.ts';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Section } from '../../../base/components/section.tsx';
import { RequestTable } from './request-table.tsx';

/** The calls about a booking: its quote, its checkout or request, its reservation. */
export function CallsAbout({ ids }: { ids: readonly string[] }) {
  const about = ids.join(',');
  const query = useQuery(requestsQuery({ about }));
  const all = (
    <TextLink to="/requests" search={{ about }} size="sm">
      All of them
    </TextLink>
  );
  return (
    <Section title="Calls" about="What your program has called about this booking." actions={all}>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? 'None is in the log.' : <RequestTable items={items} />
        }
      </Loaded>
    </Section>
  );
}
