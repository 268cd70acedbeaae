import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ListedLink } from '../../../base/components/links.tsx';
import { StatementOfMonth } from '../../../base/statements/statement.tsx';
import { thisMonth } from '../../../base/words/months.ts';
import { statementQuery } from '../../api/partners.ts';
import { hrefOf } from '../../words/addresses.ts';
import { PartnerFrame, useApplicationId } from './partner-frame.tsx';

const renderReference = (reference: string) => (
  <ListedLink href={hrefOf(['reservations', reference])} className="mono">
    {reference}
  </ListedLink>
);

function Shown() {
  const applicationId = useApplicationId();
  const { month = thisMonth() } = useSearch({
    from: '/inside/partners/$applicationId/statement',
  });
  const navigate = useNavigate();
  const query = useQuery(statementQuery(applicationId, month));
  return (
    <StatementOfMonth
      month={month}
      query={query}
      renderReference={renderReference}
      onChoose={(chosen) =>
        void navigate({
          to: '/partners/$applicationId/statement',
          params: { applicationId },
          search: { month: chosen },
        })
      }
    />
  );
}

/** What a partner sold, changed, cancelled and owes. */
export const PartnerStatement = () => <PartnerFrame>{() => <Shown />}</PartnerFrame>;
