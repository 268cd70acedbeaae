import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { basePath } from '../../../base-path.ts';
import { ListedLink } from '../../../base/components/links.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { StatementOfMonth } from '../../../base/statements/statement.tsx';
import { thisMonth } from '../../../base/words/months.ts';
import { statementQuery } from '../../api/queries.ts';

const renderReference = (name: string) => (
  <ListedLink
    href={`${basePath}/portal/bookings?name=${encodeURIComponent(name)}`}
    className="mono"
  >
    {name}
  </ListedLink>
);

/** What the partner sold, changed, cancelled and owes in a month. */
export function Statement() {
  const { month = thisMonth() } = useSearch({ from: '/inside/statement' });
  const navigate = useNavigate();
  const query = useQuery(statementQuery(month));
  return (
    <Stack gap="md">
      <PageTitle
        title="Statement"
        about="What you sold, changed, cancelled and owe, as the operator sees it."
      />
      <StatementOfMonth
        month={month}
        query={query}
        renderReference={renderReference}
        onChoose={(chosen) => void navigate({ to: '/statement', search: { month: chosen } })}
      />
    </Stack>
  );
}
