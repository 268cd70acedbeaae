export { openCatalog, type Catalog } from './catalog.ts';
export { tagOf, type CatalogSnapshot, type Place, type SoldListing } from './snapshot.ts';
export { pageAfter, type Page } from './pages.ts';
