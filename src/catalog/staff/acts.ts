import { staffActs } from '../../api/staff-acts.ts';
import type { FileStorage } from '../../platform/file-storage/file-storage.ts';
import type { WithReads } from '../../platform/postgres/replica.ts';
import type { Catalog } from '../catalog.ts';

/** The dependencies of what staff do with the content of catalogs. */
interface ContentContext extends WithReads {
  baseUrl: string;
  /** The homes that this process sells: it follows what an act has written. */
  catalog: Pick<Catalog, 'followSoon'>;
  /** Where uploaded pictures are. */
  pictures: FileStorage;
}

/** Binds rows to functions of this subject. */
export const contentActs = staffActs<ContentContext>();
