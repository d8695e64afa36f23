import { z } from 'zod';

/** A text field with what it holds. */
export const text = (description: string) => z.string().describe(description);

/** An integer field (within ±2⁵³−1) with what it counts. */
export const integer = (description: string) => z.int().describe(description);

/** A true-or-false field with what it says. */
export const flag = (description: string) => z.boolean().describe(description);

/** A timestamp in UTC ending in Z. */
export const utcTimestamp = (description: string) => z.iso.datetime().describe(description);
