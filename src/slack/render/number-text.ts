const format = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

/** As people write it: `1,234,567.5`. */
export const numberText = (value: number): string => format.format(value);
