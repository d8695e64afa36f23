// oxlint-disable eslint/no-underscore-dangle -- `_zod` is where zod lets libraries define schema types of their own
import { z } from 'zod';

interface LenientFieldDef extends z.core.$ZodTypeDef {
  type: 'custom';
  innerType: z.core.$ZodType;
}

interface LenientFieldInternals extends z.core.$ZodTypeInternals {
  def: LenientFieldDef;
  optin: 'optional';
  optout: 'optional';
}

interface LenientField extends z.ZodType {
  _zod: LenientFieldInternals;
}

/**
 * A field that may be missing, null or "", all of which read as undefined; anything else goes to the inner schema.
 * A type of its own because `preprocess` and `transform` cost four to seven times as much per field, which shows
 * with 10,000 records.
 */
const LenientField: z.core.$constructor<LenientField, LenientFieldDef> = z.core.$constructor(
  'LenientField',
  (field, def) => {
    z.ZodType.init(field, def);
    field._zod.optin = 'optional';
    field._zod.optout = 'optional';
    field._zod.parse = (payload, context) => {
      const value: unknown = payload.value;
      if (value === undefined || value === null || value === '') {
        payload.value = undefined;
        return payload;
      }
      return def.innerType._zod.run(payload, context);
    };
  },
);

/** Makes a field optional in the lenient sense: missing, null and "" all read as undefined. */
export const lenientField = (innerType: z.core.$ZodType): z.ZodType =>
  new LenientField({ type: 'custom', innerType });
