/** `read` looks, `change` alters settings or adds a record, `destructive` interrupts a service. */
export const risks = ['read', 'change', 'destructive'] as const;
export type Risk = (typeof risks)[number];
