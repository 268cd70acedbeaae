import type { Refusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { isUuid } from '../../platform/uuid.ts';
import {
  type Application,
  findApplication,
  findApplicationsByName,
} from '../store/applications.ts';
import { noApplication } from './staff-refusals.ts';

/** Finds an application by its ID, or by its name if no other has that name. Spec: OPERATOR-7. */
export async function findApplicationByIdOrName(
  executor: Executor,
  text: string,
): Promise<Application | Refusal<'not_found' | 'conflict'>> {
  const id = text.toLowerCase();
  const byId = isUuid(id) ? await findApplication(executor, id) : undefined;
  const [named, ...others] = byId ? [byId] : await findApplicationsByName(executor, text);
  if (!named) return noApplication(isUuid(id) ? id : `"${text}"`);
  if (others.length === 0) return named;
  const ids = [named, ...others].map(({ applicationId }) => applicationId).join(', ');
  return refuseConflict(
    `There are ${others.length + 1} applications named "${text}"; choose one by its ID: ${ids}.`,
  );
}
