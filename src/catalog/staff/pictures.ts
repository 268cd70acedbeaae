/** What staff do with the pictures of homes. */
import { isRefusal } from '../../contract/errors.ts';
import {
  addPicture,
  listPictures,
  removePicture,
  setPicture,
} from '../pictures/manage-pictures.ts';
import { pictureUrl } from '../pictures/names.ts';
import { uploadPicture } from '../pictures/upload-picture.ts';
import { contentActs } from './acts.ts';

const homeOf = ({ baseUrl }: { baseUrl: string }, { listing }: { listing: string }) => ({
  listing,
  baseUrl,
});

/** Pictures: uploaded, listed, added, changed, removed. */
export const pictureActs = contentActs({
  'operator.picture.upload': async ({ context, actor, bytes }) => {
    const uploaded = await uploadPicture(context, actor.name, bytes);
    if (isRefusal(uploaded)) return uploaded;
    return { ...uploaded, url: pictureUrl({ file: uploaded.file, alt: '' }, context.baseUrl) };
  },
  'operator.picture.list': async ({ context, params }) => {
    const items = await listPictures(context.database, homeOf(context, params));
    return isRefusal(items) ? items : { items };
  },
  'operator.picture.add': async ({ context, actor, params, body }) => {
    const home = homeOf(context, params);
    const items = await addPicture(context.database, actor.name, home, body);
    if (isRefusal(items)) return items;
    await context.catalog.follow();
    return { items };
  },
  'operator.picture.set': async ({ context, actor, params, body, seen }) => {
    const { alt, position } = body;
    const change = { pictureId: params.pictureId, alt, position, seen };
    const items = await setPicture(context.database, actor.name, homeOf(context, params), change);
    if (isRefusal(items)) return items;
    await context.catalog.follow();
    return { items };
  },
  'operator.picture.remove': async ({ context, actor, params }) => {
    const home = homeOf(context, params);
    const items = await removePicture(context.database, actor.name, home, params.pictureId);
    if (isRefusal(items)) return items;
    await context.catalog.follow();
    return { items };
  },
});
