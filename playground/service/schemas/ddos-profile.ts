import { z } from 'zod';
import { flag, integer, text } from '../../../src/service/schemas/fields.ts';

const validationSchema = z.strictObject({
  type: text('type of the value'),
  minItems: integer('least number of items'),
  items: z
    .strictObject({
      type: text('type of each item'),
      minimum: z.number().describe('smallest item'),
      maximum: z.number().describe('largest item'),
    })
    .describe('rules for each item'),
});

/** The interface leaves the types of some values open. */
const anything = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.unknown()), z.record(z.string(), z.unknown())])
  .nullable();

const templateField = z.strictObject({
  id: integer('identifier of the field'),
  name: text('name of the field'),
  description: text('purpose of the field'),
  required: flag('must have a value'),
  default: anything.describe('value if none is given, or null'),
  field_type: anything.describe('type of the field, or null'),
  validation_schema: validationSchema.describe('rules for a value, as a JSON schema'),
});

const profileField = templateField.extend({
  base_field: integer('field of the template'),
  field_value: z.array(z.int()).describe('values of the field, such as port numbers'),
  value: anything.describe('value as one, or null'),
});

/** An instance without protection has an empty profile. */
export const ddosProfile = z.strictObject({
  id: integer('identifier of the profile'),
  site: text('site that protects the instance'),
  options: z
    .strictObject({ active: flag('the protection is on'), bgp: flag('it is announced by BGP') })
    .describe('settings of the protection'),
  status: z
    .strictObject({ status: text('state of the profile'), error_description: text('its error, or ""') })
    .describe('state of the protection'),
  profile_template_description: text('purpose of the template'),
  protocols: z
    .array(
      z.strictObject({
        port: text('port, or range of ports'),
        protocols: z.array(z.string()).describe('protocols on the port'),
      }),
    )
    .describe('what is protected'),
  fields: z.array(profileField).describe('values of the fields'),
  profile_template: z
    .strictObject({
      id: integer('identifier of the template'),
      name: text('name of the template'),
      description: text('what it protects'),
      fields: z.array(templateField).describe('fields of the template'),
    })
    .describe('template of the profile'),
});
