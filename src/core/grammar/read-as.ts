import { z } from 'zod';

/** For `z.string().transform`: what `read` makes of a text. Where that is undefined, the text is refused with this message. */
export const readAs =
  <T>(read: (text: string) => T | undefined, message: string) =>
  (text: string, context: z.RefinementCtx<string>): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
