import { z } from 'zod';
import { text } from '../../../service/schemas/fields.ts';
import { type ReadBy, lenient } from '../../../service/schemas/lenient.ts';

export const capacityUnit = 'Gbit/s';

export const capacityEntry = z.strictObject({
  country_code: text('two-letter code of the country'),
  country: text('name of the country'),
  capacity: z.number().describe('capacity in Gbit/s'),
});

export const capacityList = z.array(capacityEntry);

export const capacityListRead = lenient(capacityList);

export type CapacityEntry = z.output<typeof capacityEntry>;
export type CapacityListRead = ReadBy<typeof capacityListRead>;
