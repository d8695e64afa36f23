/** Text as both databases keep it: PostgreSQL refuses NUL, and a lone surrogate has no UTF-8. */
export const sanitizeText = (text: string): string => text.replaceAll('\0', '\u{FFFD}').toWellFormed();
