/**
 * The leaf of an entry in the tree: its number, then the members of its draft in order of their names, as JSON without
 * spaces. What `npm run audit -- prove` writes as `<number>.json`; SHA-256 of 0x00 and these bytes, in UTF-8, is the leaf's hash, and
 * the entry stands at the index `number - 1`.
 * @param draft canonical JSON of the draft, as it is stored
 */
export const leafText = (number: number, draft: string): string => `{"number":${number},${draft.slice(1)}`;
