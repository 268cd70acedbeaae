/** Schemas that the operations on homes share. */
import * as Type from '../../type.ts';
import { operatorLimits } from '../limits.ts';

/** A home, as staff name it. */
export const ListingName = Type.GivenText(100, 'The home, by its slug or ID.');

/** A catalog, as staff name it. */
export const CatalogSlug = (description: string) => Type.GivenText(100, description);

export const DryRun = Type.Optional(Type.Flag('Show what would change, and change nothing.'));

/** Says that unusual prices are meant. */
export const AllowUnusual = Type.Optional(
  Type.Flag(
    'Set prices also where that of a night falls below a fifth or rises above five times. Absent: such a change is refused with 409 `conflict`, reason `unusual_prices`, and `details.unusual` lists the nights.',
  ),
);

/** Nights of a half-open range. */
export const nights = {
  from: Type.KeptDate('The first night.'),
  to: Type.KeptDate('The day after the last night.'),
};

/** Where a block comes from. */
export const BlockSource = Type.Enum(['file', 'staff', 'channel', 'outside'], {
  $id: 'BlockSource',
  description: 'Where a block comes from.',
});

/** A file of a spreadsheet, and whether the import is only a preview. */
export const CsvImport = (columns: string) =>
  Type.RequestObject({
    file: Type.Text(
      `The text of a CSV file: ${columns}. At most ${operatorLimits.csvLines} lines; more need the command line.`,
    ),
    dryRun: DryRun,
  });
