import * as Type from '../../type.ts';
import { patterns } from '../../patterns.ts';
import { operatorLimits } from '../limits.ts';
import { expectedVersion } from './shared.ts';

export const PictureId = Type.String({
  pattern: patterns.pictureId.pattern,
  description: 'Its ID: a digest of its content, or of its address if it was not uploaded.',
});
const Alt = Type.String({
  maxLength: operatorLimits.altLength,
  description: 'Alternative text, for people who cannot see the picture.',
});
const Position = Type.WholeFrom(1, 10_000, 'Its place among the pictures of the home, from 1.');

export const UploadedPicture = Type.ResponseObject('UploadedPicture', 'The picture is stored.', {
  pictureId: PictureId,
  file: Type.Text('As `images` of a home name it.'),
  url: Type.Text('Its address, in the largest size.'),
  width: Type.Whole('Of the largest size, in pixels.'),
  height: Type.Integer(),
});

export const NewPicture = Type.RequestObject({
  pictureId: PictureId,
  alt: Alt,
  position: Type.Optional(Position),
});

export const ChangedPicture = Type.Object(
  { alt: Type.Optional(Alt), position: Type.Optional(Position), ...expectedVersion },
  { additionalProperties: false, minProperties: 1 },
);

export const PicturesOfHome = Type.ResponseObject(
  'PicturesOfHome',
  'The pictures of the home, in their order.',
  {
    items: Type.Array(
      Type.ResponseObject('PictureOfHome', {
        pictureId: PictureId,
        position: Position,
        url: Type.String(),
        alt: Type.String(),
      }),
    ),
  },
);
