export { type Catalog, type FollowedCatalog, openCatalog } from './catalog.ts';
export { startLayerComparison } from './compare-layers.ts';
export { noCatalog } from './no-catalog.ts';
export { catalogFor } from './catalog-for.ts';
export { type CatalogContext, catalogOf, metBy } from './context.ts';
export { listCatalogs } from './store/catalogs.ts';
export { changesAnything, differenceText } from './import/difference.ts';
export { type Entries, readEntry, readHead } from './file/entries.ts';
export { furtherProblems, type FileProblems } from './file/problems.ts';
export { importRates } from './import/import-rates.ts';
export { findSlugs, linesOfHomes, type ReadLines } from './import/lines-of-homes.ts';
export { datesProblems, type RateChange } from './import/rates-csv.ts';
export { homeFor, listingFor } from './listing-for.ts';
export { importCatalog } from './import/import-catalog.ts';
export { fileSource, textSource } from './file/sources.ts';
export type { BlockImport, ImportedBlock, SomeBlocks, StagedBlock } from './import/block-import.ts';
export { writeCatalogFile } from './file/write-catalog-file.ts';
export { findHomes } from './find-homes.ts';
export { addPicture, listPictures } from './pictures/pictures-of-home.ts';
export { isStoredName, pictureMediaType, uploadsPath } from './pictures/names.ts';
export { sweepPictures } from './pictures/sweep-pictures.ts';
export { uploadPicture } from './pictures/upload-picture.ts';
export { catalogProblems, csvProblems } from './staff/file-problems.ts';
export { homeActs } from './staff/homes.ts';
export { pictureActs } from './staff/pictures.ts';
export { promotionActs } from './staff/promotions.ts';
export { rateActs } from './staff/rates.ts';
export { exportCatalog } from './export-catalog.ts';
export { readPublished } from './read-published.ts';
export { getListing } from './operations/get-listing.ts';
export { getSite } from './operations/get-site.ts';
export { listListings } from './operations/list-listings.ts';
export { followTold, untilKnown } from './freshness.ts';
export { completeMeta } from './operations/complete-meta.ts';
export { indexAfter, type SortKey } from './sort-key.ts';
export { readCatalogs } from './store/catalogs.ts';
export { readHome } from './store/listings.ts';
export { lockCatalog } from './store/revision.ts';
export { findPromotion } from './store/promotions.ts';
export {
  chordOf,
  distanceKm,
  greatCircleKm,
  reachOf,
  unitVector,
} from './search-index/great-circle.ts';
export {
  addHome,
  hasHome,
  keepHomes,
  noHomes,
  type HomeSet,
  offsetsIn,
} from './search-index/home-set.ts';
export { amenityKey, type HomeFilter, isOpenFilter, type Segment } from './search-index/segment.ts';
export type { TotalFloors } from './search-index/total-floors.ts';
export { prefixesOf } from './search-index/words.ts';
export { priceAttention } from './unusual-changes.ts';
export { unusualLines } from './unusual-prices.ts';
export { type CatalogView, type PublishedListing, withEffects } from './view.ts';
