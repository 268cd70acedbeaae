/** Schemas that the subjects of the operator's API share. */
import Type from 'typebox';
import { Cursor, NextCursor } from '../../partner/schemas/primitives.ts';
import { operatorLimits } from '../limits.ts';

/** The query members of every list that is read in pages. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: operatorLimits.pageSize.min,
      maximum: operatorLimits.pageSize.max,
      description: `The number of items; ${operatorLimits.pageSize.default} if absent.`,
    }),
  ),
  cursor: Type.Optional(Cursor),
};

/** A page of items. */
export const PageOf = <T extends Type.TSchema>(item: T, id: string, description: string) =>
  Type.Object({ items: Type.Array(item), nextCursor: NextCursor }, { $id: id, description });
