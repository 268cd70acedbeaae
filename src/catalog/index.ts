export { openCatalog, type Catalog } from './catalog.ts';
export {
  type CatalogSnapshot,
  type Place,
  type SoldListing,
  type TaggedBytes,
} from './snapshot.ts';
export { pageAfter } from './pages.ts';
export { importCatalog } from './import.ts';
