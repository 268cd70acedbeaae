/** From where keys and tokens may be used. */
import * as Type from '../../type.ts';

export const Networks = Type.Array(Type.String({ minLength: 1, maxLength: 43 }), {
  minItems: 1,
  maxItems: 20,
  description:
    'The networks from which it may be used, such as `203.0.113.0/24`, `2001:db8::/32` or one address. Absent: from everywhere.',
});

export const AllowedNetworks = Type.Nullable(
  Type.Array(Type.String(), { description: 'From where it may be used; null: from everywhere.' }),
);
