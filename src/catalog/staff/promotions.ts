/** What staff do with promotions. */
import {
  addPromotion,
  changePromotion,
  endPromotion,
  listPromotionsOf,
  pausePromotion,
} from '../edit-promotions.ts';
import { contentActs } from './acts.ts';

/** Promotions: listed, added, changed, paused, resumed, ended. */
export const promotionActs = contentActs({
  'operator.promotion.list': ({ context, query: { limit, cursor, catalog } }) =>
    context.reads.run((from) => listPromotionsOf(from, { catalog }, { limit, cursor })),
  'operator.promotion.add': ({ context, actor, body }) =>
    addPromotion(context.database, actor.name, body),
  'operator.promotion.change': ({ context, actor, params, body: { promotion }, seen }) =>
    changePromotion(context.database, actor.name, { ...params, promotion, seen }),
  'operator.promotion.pause': ({ context, actor, params }) =>
    pausePromotion(context.database, actor.name, { ...params, isPaused: true }),
  'operator.promotion.resume': ({ context, actor, params }) =>
    pausePromotion(context.database, actor.name, { ...params, isPaused: false }),
  'operator.promotion.end': ({ context, actor, params }) =>
    endPromotion(context.database, actor.name, params.code),
});
