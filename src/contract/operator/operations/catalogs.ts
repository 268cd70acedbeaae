import { EmptyBody } from '../../partner/schemas/primitives.ts';
import { CatalogFile } from '../../catalog-file.ts';
import { operatorLimits } from '../limits.ts';
import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import * as schemas from '../schemas/catalogs.ts';

/** Catalogs: files in and out, promotions. */
export const catalogRows = tagged('Catalogs', {
  'operator.catalog.list': {
    call: 'GET /operator/v1/catalogs',
    summary: 'List catalogs',
    scope: 'read',
    reply: { 200: schemas.Catalogs },
  },
  'operator.catalog.import': {
    call: 'POST /operator/v1/catalogs/import',
    summary: 'Import a catalog file',
    description:
      'Adds and changes what the file names. A file with problems changes nothing; they are in `error.details.fields`, each with its line and place. A token cannot add or change promotions: they would outlive it (`step_up`).',
    scope: 'inventory',
    body: schemas.CatalogImport,
    bodyBytes: operatorLimits.fileBytes,
    atOnce: operatorLimits.filesAtOnce,
    reply: { 200: schemas.CatalogImported },
    errors: ['conflict'],
    reasons: { forbidden: ['step_up'] },
  },
  'operator.catalog.export': {
    call: 'GET /operator/v1/catalogs/{catalog}/export',
    summary: 'Export a catalog file',
    description: 'Catalogs with more than 20,000 homes need the command line.',
    scope: 'read',
    atOnce: operatorLimits.filesAtOnce,
    reply: { 200: CatalogFile },
    errors: ['not_found', 'conflict'],
  },
  'operator.promotion.list': {
    call: 'GET /operator/v1/promotions',
    summary: 'List promotions',
    scope: 'read',
    query: schemas.PromotionsQuery,
    reply: { 200: schemas.PromotionPage },
    errors: ['not_found', 'conflict'],
    command: { name: 'promotion list', columns: ['catalog', 'state', 'uses', 'promotion'] },
  },
  'operator.promotion.add': {
    call: 'POST /operator/v1/promotions',
    summary: 'Add a promotion',
    scope: 'inventory',
    lasting: true,
    body: schemas.NewPromotion,
    repeatHides: [],
    reply: { 201: schemas.ListedPromotion },
    errors: ['not_found', 'conflict'],
  },
  'operator.promotion.change': {
    call: 'PUT /operator/v1/promotions/{code}',
    summary: 'Change a promotion',
    description: 'An ended promotion is active again.',
    scope: 'inventory',
    lasting: true,
    body: schemas.ChangedPromotion,
    seen: 'expectedVersion',
    reply: { 200: schemas.ListedPromotion },
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  'operator.promotion.pause': {
    call: 'POST /operator/v1/promotions/{code}/pause',
    summary: 'Pause a promotion',
    description: 'Nobody can use it until it is resumed. Bookings that use it keep it.',
    scope: 'inventory',
    body: EmptyBody,
    reply: { 200: schemas.ListedPromotion },
    errors: ['not_found', 'conflict'],
    command: { name: 'promotion pause' },
  },
  'operator.promotion.resume': {
    call: 'POST /operator/v1/promotions/{code}/resume',
    summary: 'Resume a paused promotion',
    scope: 'inventory',
    lasting: true,
    body: EmptyBody,
    reply: { 200: schemas.ListedPromotion },
    errors: ['not_found', 'conflict'],
    command: { name: 'promotion resume' },
  },
  'operator.promotion.end': {
    call: 'POST /operator/v1/promotions/{code}/end',
    summary: 'End a promotion',
    description: 'Bookings that use it keep it.',
    scope: 'inventory',
    body: EmptyBody,
    reply: { 200: schemas.ListedPromotion },
    command: { name: 'promotion end' },
  },
} as const satisfies StatedRows);
