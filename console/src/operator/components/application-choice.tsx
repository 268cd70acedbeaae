import { useQuery } from '@tanstack/react-query';
import { Choice } from '../../base/components/choice.tsx';
import { partnersQuery } from '../api/partners.ts';

/** A filter of a list: one application, by its name. */
export function ApplicationChoice({
  value,
  onChoose,
}: {
  value: string | undefined;
  onChoose: (applicationId: string | undefined) => void;
}) {
  const applications = useQuery(partnersQuery).data?.items ?? [];
  const choices = applications
    .map(({ applicationId, name }) => ({ value: applicationId, label: name }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  return <Choice label="Partner" value={value} choices={choices} onChoose={onChoose} />;
}
