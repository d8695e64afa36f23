import { z } from 'zod';
import { flag, integer, text } from './fields.ts';

const validationSchema = z
  .strictObject({
    type: text('JSON type of the value'),
    minItems: integer('fewest items of a list'),
    items: z
      .strictObject({
        type: text('JSON type of an item'),
        minimum: integer('smallest item'),
        maximum: integer('largest item'),
      })
      .describe('what an item of the list may be'),
  })
  .describe('what the value of the field may be, in a JSON-schema style');

/** What these are beside null is not known. */
const anyValue = (description: string) =>
  z
    .union([z.string(), z.number(), z.boolean(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
    .nullable()
    .describe(description);

const templateFieldShape = {
  id: integer('identifier of the field'),
  name: text('name of the field'),
  description: text('what the field is for'),
  required: flag('the field must have a value'),
  default: text('value where none is given').nullable(),
  field_type: anyValue('type of the field'),
  validation_schema: validationSchema,
};

/** A field of a DDoS profile template. */
const templateField = z.strictObject(templateFieldShape);

/** A field of a DDoS profile with its value. */
const profileField = z.strictObject({
  ...templateFieldShape,
  base_field: integer('identifier of the template field it fills'),
  field_value: anyValue('the values given, a list of integers or another shape'),
  value: anyValue('the value where it is not a list'),
});

/** The DDoS protection of an instance. */
export const ddosProfile = z.strictObject({
  id: integer('identifier of the profile'),
  site: text('site the profile belongs to'),
  options: z
    .strictObject({ active: flag('protection is switched on'), bgp: flag('traffic is announced by BGP') })
    .describe('how the protection is applied'),
  status: z
    .strictObject({
      status: text('for example Updated'),
      error_description: text('why the last change failed, if it did'),
    })
    .describe('what became of the last change'),
  profile_template_description: text('what the template protects'),
  protocols: z
    .array(z.strictObject({ port: text('port'), protocols: z.array(z.string()).describe('protocols on it') }))
    .describe('protocols by port'),
  fields: z.array(profileField).describe('values of the profile fields'),
  profile_template: z
    .strictObject({
      id: integer('identifier of the template'),
      name: text('name of the template'),
      description: text('what it protects'),
      fields: z.array(templateField).describe('fields that a profile of it has'),
    })
    .describe('template that the profile was made from'),
});

export type DdosProfile = z.output<typeof ddosProfile>;
