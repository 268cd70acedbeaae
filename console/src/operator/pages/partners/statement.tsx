import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { TextLink } from '../../../base/parts/links.tsx';
import { StatementOfMonth } from '../../../base/statements/statement.tsx';
import { monthOf } from '../../../base/words/months.ts';
import { statementQuery } from '../../api/partners.ts';
import { PartnerFrame, useApplicationId } from './partner-frame.tsx';

function Shown() {
  const applicationId = useApplicationId();
  const { month = monthOf(Date.now()) } = useSearch({
    from: '/inside/partners/$applicationId/statement',
  });
  const navigate = useNavigate();
  const query = useQuery(statementQuery(applicationId, month));
  return (
    <StatementOfMonth
      month={month}
      query={query}
      linkTo={(reference) => (
        <TextLink to="/reservations/$reference" params={{ reference }} className="mono">
          {reference}
        </TextLink>
      )}
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
