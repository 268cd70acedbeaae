import {
  addPicture,
  listPictures,
  pictureUrl,
  removePicture,
  setPicture,
  uploadPicture,
} from '../../catalog/index.ts';
import type { OperatorContext } from '../context.ts';
import { act } from '../kinds.ts';

const homeOf = ({ baseUrl }: OperatorContext, { listing }: { listing: string }) => ({
  listing,
  baseUrl,
});

/** Uploads a picture. */
export const uploadFile = act('operator.picture.upload', {
  async reply({ context, actor, bytes }) {
    const uploaded = await uploadPicture(context, actor.name, bytes);
    const url = pictureUrl({ file: uploaded.file, alt: '' }, context.baseUrl);
    return { status: 201, body: { ...uploaded, url } };
  },
});

/** Lists the pictures of a home. */
export const listPicturesOfHome = act('operator.picture.list', {
  async reply({ context, params }) {
    const items = await listPictures(context.database, homeOf(context, params));
    return { status: 200, body: { items } };
  },
});

/** Gives a home an uploaded picture. */
export const addPictureToHome = act('operator.picture.add', {
  async reply({ context, actor, params, body }) {
    const home = homeOf(context, params);
    const items = await addPicture(context.database, actor.name, home, body);
    await context.catalog.follow();
    return { status: 200, body: { items } };
  },
});

/** Changes the text or the position of a picture. */
export const setPictureOfHome = act('operator.picture.set', {
  async reply({ context, actor, params, body }) {
    const change = { pictureId: params.pictureId, ...body };
    const items = await setPicture(context.database, actor.name, homeOf(context, params), change);
    await context.catalog.follow();
    return { status: 200, body: { items } };
  },
});

/** Takes a picture from a home. */
export const removePictureOfHome = act('operator.picture.remove', {
  async reply({ context, actor, params }) {
    const home = homeOf(context, params);
    const items = await removePicture(context.database, actor.name, home, params.pictureId);
    await context.catalog.follow();
    return { status: 200, body: { items } };
  },
});
