import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Empty } from '../../../shared/parts/empty.tsx';
import { Loaded } from '../../../shared/parts/loaded.tsx';
import { Moment } from '../../../shared/parts/moment.tsx';
import { PageTitle } from '../../../shared/parts/page-title.tsx';
import { auditQuery } from '../../api/queries.ts';

/** What staff and partners did, newest first. */
export function Audit() {
  const query = useQuery(auditQuery({}));
  return (
    <>
      <PageTitle title="Audit" />
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nothing yet">Changes by staff and partners appear here.</Empty>
          ) : (
            items.map(({ entryId, happenedAt, actor, action }) => (
              <Text key={entryId} size="sm">
                <Moment at={happenedAt} /> {actor} {action}
              </Text>
            ))
          )
        }
      </Loaded>
    </>
  );
}
