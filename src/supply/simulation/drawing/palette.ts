import type { Chance } from './chance.ts';
import type { Colour } from './colour.ts';
import type { Region } from './scene.ts';

/** The colours of one home's pictures, as they are at noon. */
export interface Palette {
  far: Colour;
  hill: Colour;
  field: Colour;
  ground: Colour;
  leaf: Colour;
  shrub: Colour;
  pine: Colour;
  bloom: Colour;
  rock: Colour;
  sand: Colour;
  water: Colour;
  wall: Colour;
  wood: Colour;
  roof: Colour;
  accent: Colour;
  plaster: Colour;
  cloth: Colour;
  floor: Colour;
}

type Choices = { [Part in keyof Palette]: readonly [Colour, ...Colour[]] };

const regions: Record<Region, Choices> = {
  atlantic: {
    far: ['#a9bcc6', '#b5bfc0'],
    hill: ['#b79f77', '#a8a277', '#c0a27c'],
    field: ['#c9b27c', '#b9ae74', '#d3b98a'],
    ground: ['#b5a063', '#a29a5d', '#c4aa74'],
    leaf: ['#6f7d4c', '#7c8450', '#5f7350'],
    shrub: ['#6f7d4c', '#7c8450', '#5f7350'],
    pine: ['#4c6048', '#556846'],
    bloom: ['#c2487c', '#d98a3a', '#8e6bb0'],
    rock: ['#b88a5c', '#c49a6c', '#a87d5a'],
    sand: ['#ecdcb6', '#e8d3aa'],
    water: ['#3f8fa6', '#4a97a0', '#3a7f9e'],
    wall: ['#f7f2e7', '#f4ecdc', '#faf6ee'],
    wood: ['#8a6442', '#7a5a3e'],
    roof: ['#bd6b46', '#b4613f', '#c67d55'],
    accent: ['#2f6aa3', '#d9a441', '#3c7d79'],
    plaster: ['#f3ebdd', '#efe4d2', '#f0ece2', '#dfe6e2', '#eed9c8'],
    cloth: ['#3f7494', '#c07a4a', '#6d8464', '#b65f52'],
    floor: ['#c98f66', '#c4a178', '#b9835c'],
  },
  alpine: {
    far: ['#8ea4bd', '#94a3b8'],
    hill: ['#5f7d78', '#647f6c'],
    field: ['#7fa05e', '#8aa764', '#76995f'],
    ground: ['#86a85a', '#7c9f55', '#94ad62'],
    leaf: ['#5c8047', '#6b8a4a'],
    shrub: ['#5c8047', '#6b8a4a'],
    pine: ['#2f4f46', '#35564a', '#2c4a4c'],
    bloom: ['#d24f5c', '#e8c34a', '#9a78c2'],
    rock: ['#8d9299', '#9a9a97'],
    sand: ['#cfc9b8', '#c9c2ac'],
    water: ['#4a8f9c', '#3f7f95'],
    wall: ['#ece4d4', '#efe9dc'],
    wood: ['#8b5e3c', '#74492f', '#9a6c45'],
    roof: ['#5a5350', '#6b5044', '#4f5258'],
    accent: ['#b8433f', '#3f6f52', '#37608a'],
    plaster: ['#efe7d8', '#e6d5bd', '#e9e4da', '#d8dfd4', '#dcc3a4'],
    cloth: ['#a8423f', '#4d6b58', '#5d7290', '#b08a4e'],
    floor: ['#b58a5f', '#a5784f', '#c29a70'],
  },
  maine: {
    far: ['#9db0bf', '#a5b4b8'],
    hill: ['#5d7870', '#65807a'],
    field: ['#92a06c', '#a3a873'],
    ground: ['#8d9962', '#9aa168', '#7f9062'],
    leaf: ['#6a8450', '#7b8b4e', '#5e7b52'],
    shrub: ['#6a8450', '#7b8b4e', '#5e7b52'],
    pine: ['#2c483f', '#31504a', '#2a4440'],
    bloom: ['#7a6bb5', '#c25d7a', '#e0b548'],
    rock: ['#a39a92', '#b0a196', '#989a9c'],
    sand: ['#d8cdb8', '#d2c9b9'],
    water: ['#3d6f8a', '#467a8c', '#38647f'],
    wall: ['#f2efe8', '#eceae4'],
    wood: ['#8c8378', '#7d7b76', '#9a8f80'],
    roof: ['#565b5e', '#4f5a58', '#6a605a'],
    accent: ['#a23f38', '#2f4f72', '#3f6656'],
    plaster: ['#f1eee6', '#e5e9e6', '#eee6d6', '#d6e0e4', '#d9dfd0'],
    cloth: ['#35597c', '#a34b44', '#6e8a86', '#c39a4e'],
    floor: ['#b58f66', '#a9845f', '#c7a680'],
  },
  kyoto: {
    far: ['#a3b3b6', '#aab4b0'],
    hill: ['#6f8a76', '#7a9078', '#67857a'],
    field: ['#8fa26a', '#9aa870'],
    ground: ['#7d9160', '#8a9865', '#74895c'],
    leaf: ['#c25b3a', '#7f9a4e', '#d08a3e', '#a94a44'],
    shrub: ['#7f9a4e', '#6f8f4c', '#87995a'],
    pine: ['#3e5c48', '#46624a'],
    bloom: ['#e3a3b0', '#d9796f', '#e8c7c9'],
    rock: ['#8b8d89', '#96948c'],
    sand: ['#ddd6c6', '#d6d0c2'],
    water: ['#5c8a8c', '#54808a'],
    wall: ['#efe6d2', '#e9dcc2', '#f1ebdd'],
    wood: ['#5c4334', '#6a4a36', '#4d3b31'],
    roof: ['#545a60', '#4c5054', '#5e6164'],
    accent: ['#2f4a6b', '#a2453a', '#5a6e46'],
    plaster: ['#e9dfc8', '#e4d6b8', '#ece6d8', '#d3d6c4', '#dcc8a8'],
    cloth: ['#3c5678', '#9d4f45', '#77855a', '#c49b5a'],
    floor: ['#c9b98a', '#bfae7e', '#cdbd92'],
  },
  cape: {
    far: ['#93a3bb', '#a39fb4'],
    hill: ['#7d8a76', '#8a8b76'],
    field: ['#9aa663', '#a8a865'],
    ground: ['#a8a25e', '#b3a468', '#98995c'],
    leaf: ['#72874c', '#63804f', '#86904f'],
    shrub: ['#72874c', '#63804f', '#86904f'],
    pine: ['#465f45', '#4d6549'],
    bloom: ['#d8695e', '#e3a53e', '#c45a8a'],
    rock: ['#a08c7c', '#b09880', '#938a84'],
    sand: ['#eee0c4', '#eadbbd'],
    water: ['#3b88a6', '#418fa0'],
    wall: ['#fbf7ee', '#f6f0e4'],
    wood: ['#6f5238', '#7d5a3b'],
    roof: ['#7d7264', '#6d665c', '#8a7c68'],
    accent: ['#3d6b52', '#2f5a78', '#8d4a35'],
    plaster: ['#f4eee2', '#efe4d2', '#dde5da', '#ecd8c6', '#dbe3e6'],
    cloth: ['#4f7a68', '#c27a52', '#b8953f', '#44688a'],
    floor: ['#b07a52', '#a56f4a', '#c49c72'],
  },
  highland: {
    far: ['#92a2b3', '#9aa3ac', '#8b9fa8'],
    hill: ['#6f7b6a', '#7a7668', '#66786f'],
    field: ['#8f8f5e', '#9a8f62', '#7f8d5c'],
    ground: ['#84895a', '#928a5e', '#76855a'],
    leaf: ['#6d7d4c', '#7d8050'],
    shrub: ['#6d7d4c', '#7d8050'],
    pine: ['#36503f', '#3d5645'],
    bloom: ['#94628f', '#a3739a', '#d9b23e'],
    rock: ['#85878a', '#8f8c86'],
    sand: ['#ece6d6', '#e6dfcb'],
    water: ['#4b7f94', '#5a8c94', '#43728c'],
    wall: ['#f3f0e9', '#ece8de'],
    wood: ['#7a6552', '#6b5a4c'],
    roof: ['#53585f', '#5e5f5f', '#4a5158'],
    accent: ['#9c3d38', '#2f5573', '#3f6a5a', '#c08f3a'],
    plaster: ['#ece7dc', '#e2e2da', '#e9dcc9', '#cfdad8', '#dcd3dc'],
    cloth: ['#5b6f8a', '#8a4f55', '#6a7d57', '#b08b4a'],
    floor: ['#a98560', '#957355', '#b79a76'],
  },
};

/** The colours of a home: its region's, with a choice of its own in each. */
export function paletteOf(region: Region, chance: Chance): Palette {
  const choices = regions[region];
  return {
    far: chance.pick(choices.far),
    hill: chance.pick(choices.hill),
    field: chance.pick(choices.field),
    ground: chance.pick(choices.ground),
    leaf: chance.pick(choices.leaf),
    shrub: chance.pick(choices.shrub),
    pine: chance.pick(choices.pine),
    bloom: chance.pick(choices.bloom),
    rock: chance.pick(choices.rock),
    sand: chance.pick(choices.sand),
    water: chance.pick(choices.water),
    wall: chance.pick(choices.wall),
    wood: chance.pick(choices.wood),
    roof: chance.pick(choices.roof),
    accent: chance.pick(choices.accent),
    plaster: chance.pick(choices.plaster),
    cloth: chance.pick(choices.cloth),
    floor: chance.pick(choices.floor),
  };
}
