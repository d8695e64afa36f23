import type { Field } from '../../model/registry.ts';

/** The items of `a,b` as typed. A comma behind a backslash is a letter of its item; empty items are left out. */
export function splitItems(typed: string): readonly string[] {
  const items: string[] = [];
  let item = '';
  for (const [index, part] of typed.split(/((?<!\\)\\*,)/u).entries()) {
    if (index % 2 === 0) {
      item += part;
      continue;
    }
    const backslashes = part.length - 1;
    item += '\\'.repeat(Math.floor(backslashes / 2));
    if (backslashes % 2 === 1) item += ',';
    else {
      items.push(item);
      item = '';
    }
  }
  return [...items, item].map((each) => each.trim()).filter((each) => each !== '');
}

/** One item as it would have to be typed to be read back alike. */
export const itemText = (item: string): string =>
  item.replaceAll(/(?<!\\)(\\*),/gu, (_, backslashes: string) => `${backslashes}${backslashes}\\,`);

/** The items that were typed at once for a list, each as what it stands for. */
export function itemsOf(
  { itemsMayContainCommas, synonyms }: Pick<Field, 'itemsMayContainCommas' | 'synonyms'>,
  typed: string,
): readonly string[] {
  if (itemsMayContainCommas) return [typed.trim()].filter((item) => item !== '');
  return splitItems(typed).flatMap((item) => synonyms.get(item.toLowerCase()) ?? [item]);
}
