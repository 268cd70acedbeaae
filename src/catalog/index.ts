export { openCatalog, type Catalog } from './catalog.ts';
export { tagOf, type Place, type SoldListing } from './snapshot.ts';
export { pageAfter } from './pages.ts';
