import { operatorLimits } from '../limits.ts';
import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import * as schemas from '../schemas/pictures.ts';

/** Pictures of homes. */
export const pictureRows = tagged('Homes', {
  'operator.picture.upload': {
    call: 'POST /operator/v1/pictures',
    summary: 'Upload a picture',
    description: `The body is a JPEG, PNG or WebP file, recognised by its content. It is rotated upright and stored as JPEG in several sizes; no other data of the file is kept, not even the place where it was taken. Name \`file\` in \`images\` of a home, or add the picture to it. A picture that no home has is removed after a month. At most ${operatorLimits.uploadsAtOnce} uploads at once are accepted; further ones are \`rate_limited\`.`,
    scope: 'inventory',
    bytes: true,
    bodyBytes: operatorLimits.pictureBytes,
    atOnce: operatorLimits.uploadsAtOnce,
    reply: { 201: schemas.UploadedPicture },
    errors: ['conflict'],
  },
  'operator.picture.list': {
    call: 'GET /operator/v1/listings/{listing}/pictures',
    summary: 'List the pictures of a home',
    scope: 'read',
    reply: { 200: schemas.PicturesOfHome },
    command: { name: 'picture list' },
  },
  'operator.picture.add': {
    call: 'POST /operator/v1/listings/{listing}/pictures',
    summary: 'Give a home an uploaded picture',
    description: 'A picture that the home already has keeps its position.',
    scope: 'inventory',
    body: schemas.NewPicture,
    reply: { 200: schemas.PicturesOfHome },
    errors: ['not_found', 'conflict', 'precondition_failed'],
  },
  'operator.picture.set': {
    call: 'PATCH /operator/v1/listings/{listing}/pictures/{pictureId}',
    summary: 'Change the text or the position of a picture',
    scope: 'inventory',
    body: schemas.ChangedPicture,
    seen: 'expectedVersion',
    reply: { 200: schemas.PicturesOfHome },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    command: { name: 'picture set', waitsFor: 'homes' },
  },
  'operator.picture.remove': {
    call: 'DELETE /operator/v1/listings/{listing}/pictures/{pictureId}',
    summary: 'Remove a picture from a home',
    scope: 'inventory',
    reply: { 200: schemas.PicturesOfHome },
    errors: ['not_found', 'conflict', 'precondition_failed'],
    command: { name: 'picture remove', waitsFor: 'homes' },
  },
} as const satisfies StatedRows);
