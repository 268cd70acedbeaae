/** What staff do with the pictures of homes. */
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import {
  addPicture,
  listPictures,
  type PictureOfHome,
  removePicture,
  setPicture,
} from '../pictures/pictures-of-home.ts';
import { pictureUrl } from '../pictures/names.ts';
import { uploadPicture } from '../pictures/upload-picture.ts';
import { contentActs } from './acts.ts';
import { followed } from './followed.ts';

const homeOf = ({ baseUrl }: { baseUrl: string }, { listing }: { listing: string }) => ({
  listing,
  baseUrl,
});

const listed = <Refused extends Refusal>(items: PictureOfHome[] | Refused) =>
  isRefusal(items) ? items : { items };

/** Pictures: uploaded, listed, added, changed, removed. */
export const pictureActs = contentActs({
  'operator.picture.upload': async ({ context, actor, bytes }) => {
    const uploaded = await uploadPicture(context, actor.name, bytes);
    if (isRefusal(uploaded)) return uploaded;
    return { ...uploaded, url: pictureUrl({ file: uploaded.file, alt: '' }, context.baseUrl) };
  },
  'operator.picture.list': async ({ context, params }) =>
    listed(await listPictures(context.database, homeOf(context, params))),
  'operator.picture.add': async ({ context, actor, params, body }) => {
    const home = homeOf(context, params);
    return listed(await followed(context, addPicture(context.database, actor.name, home, body)));
  },
  'operator.picture.set': async ({ context, actor, params, body, seen }) => {
    const { alt, position } = body;
    const home = homeOf(context, params);
    const change = { pictureId: params.pictureId, alt, position, seen };
    return listed(await followed(context, setPicture(context.database, actor.name, home, change)));
  },
  'operator.picture.remove': async ({ context, actor, params: { pictureId, ...params } }) => {
    const home = homeOf(context, params);
    const removed = removePicture(context.database, actor.name, home, pictureId);
    return listed(await followed(context, removed));
  },
});
