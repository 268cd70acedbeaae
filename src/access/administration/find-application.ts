import type { Executor } from '../../platform/postgres/database.ts';
import { isUuid } from '../../platform/uuid.ts';
import {
  type Application,
  findApplication,
  findApplicationsByName,
} from '../store/applications.ts';
import { OperatorRefusal, unknownApplication } from './operator-refusal.ts';

/**
 * Finds an application by its ID, or by its name if no other has that name. Throws `OperatorRefusal`.
 * Spec: OPERATOR-7.
 */
export async function findApplicationByIdOrName(
  executor: Executor,
  text: string,
): Promise<Application> {
  const id = text.toLowerCase();
  const byId = isUuid(id) ? await findApplication(executor, id) : undefined;
  const [named, ...others] = byId ? [byId] : await findApplicationsByName(executor, text);
  if (!named) throw unknownApplication(isUuid(id) ? id : `"${text}"`);
  if (others.length === 0) return named;
  const ids = [named, ...others].map(({ applicationId }) => applicationId).join(', ');
  throw new OperatorRefusal(
    `There are ${others.length + 1} applications named "${text}"; choose one by its ID: ${ids}.`,
  );
}
