import { html } from 'htm/preact';
import { useDirectory } from '../contexts.js';
import { fromServer } from '../from-server.js';
import { plainWords } from '../text/mrkdwn-view.js';
import { Combobox } from './combobox.js';
import { labelled, useElement } from './use-element.js';

/**
 * @typedef {import('@slack/types').Select | import('@slack/types').MultiSelect} SelectKind
 * @typedef {import('./combobox-state.js').Item} Item
 * @typedef {import('./combobox-state.js').Group} Group
 * @typedef {import('../../gestures/gestures.ts').ElementValue} ElementValue
 * @typedef {import('../blocks/block-types.js').ChosenOption} ChosenOption
 * @typedef {import('../../gestures/gestures.ts').Outcome} Outcome
 * @typedef {import('../contexts.js').Directory} Directory
 */

/** @param {ChosenOption} option @returns {Item} */
function itemOf(option) {
  const { text, value, description } = /** @type {ChosenOption & { description?: { text: string } }} */ (
    option
  );
  return { key: value ?? text.text, words: plainWords(fromServer(text)), detail: description?.text, option };
}

/** @param {readonly unknown[]} options @returns {Item[]} */
function itemsOf(options) {
  return options.map((option) => itemOf(fromServer(option)));
}

/** @param {readonly { label: { text: string }, options: readonly unknown[] }[] | undefined} groups @param {readonly unknown[] | undefined} options @returns {Group[]} */
function groupsOf(groups, options) {
  if (groups !== undefined)
    return groups.map(({ label, options: list }) => ({ label: label.text, items: itemsOf(list) }));
  return [{ items: itemsOf(options ?? []) }];
}

/** @param {Outcome} outcome @returns {Group[]} */
function answeredGroups(outcome) {
  if (!outcome.ok) throw new Error(outcome.message);
  return groupsOf(outcome.option_groups, outcome.options);
}

/** People or conversations that an element of this type offers. @param {string} type @param {Directory} directory @returns {Item[]} */
function entries(type, { people, channels }) {
  if (/(?:static|external)_select$/.test(type)) return [];
  if (type.endsWith('users_select')) {
    return people.map(({ id, real_name: words, title: detail }) => ({ key: id, words, detail }));
  }
  return channels
    .filter(({ kind }) => kind === 'channel' || type.endsWith('conversations_select'))
    .map(({ id, name, kind }) => ({ key: id, words: kind === 'channel' ? `#${name}` : name }));
}

/** @param {Group[]} groups @param {string} query */
function fitting(groups, query) {
  const wanted = query.trim().toLowerCase();
  return groups
    .map((group) => ({
      ...group,
      items: group.items.filter(({ words }) => words.toLowerCase().includes(wanted)),
    }))
    .filter(({ items }) => items.length > 0);
}

/** @param {ElementValue | undefined} value @param {Item[]} known @returns {Item[]} */
function chosenItems(value, known) {
  if (value === undefined) return [];
  if ('selected_option' in value)
    return value.selected_option === null ? [] : [itemOf(value.selected_option)];
  if ('selected_options' in value) return value.selected_options.map(itemOf);
  /** @type {(string | string[] | null)[]} */
  const parts = Object.entries(value).flatMap(([key, part]) => (key === 'type' ? [] : fromServer(part)));
  const ids = parts.flat();
  return ids.flatMap((id) => known.find(({ key }) => key === id) ?? []);
}

/** @param {SelectKind['type']} type @param {Item[]} chosen @returns {ElementValue} */
function valueFrom(type, chosen) {
  const options = chosen.flatMap(({ option }) => option ?? []);
  const ids = chosen.map(({ key }) => key);
  switch (type) {
    case 'static_select':
    case 'external_select':
      return { type, selected_option: options[0] ?? null };
    case 'multi_static_select':
    case 'multi_external_select':
      return { type, selected_options: options };
    case 'users_select':
      return { type, selected_user: ids[0] ?? null };
    case 'channels_select':
      return { type, selected_channel: ids[0] ?? null };
    case 'conversations_select':
      return { type, selected_conversation: ids[0] ?? null };
    case 'multi_users_select':
      return { type, selected_users: ids };
    case 'multi_channels_select':
      return { type, selected_channels: ids };
    case 'multi_conversations_select':
      return { type, selected_conversations: ids };
  }
}

/**
 * Every select of Slack's: static, external with typing, users, channels, conversations; one or several.
 * @param {import('./use-element.js').ElementProps<SelectKind>} props
 */
export function SelectElement({ element, blockId, name, field }) {
  const { value, pending, change, surface, spot } = useElement({ element, blockId, field });
  const directory = useDirectory();
  const own = element.type === 'static_select' || element.type === 'multi_static_select';
  const known = entries(element.type, directory);
  const listed = own ? groupsOf(element.option_groups, element.options) : [{ items: known }];
  const placeholder = element.placeholder?.text ?? 'Choose an option';
  /** @type {import('./combobox-state.js').ComboboxProps['source']} */
  const source =
    element.type === 'external_select' || element.type === 'multi_external_select'
      ? {
          kind: 'remote',
          load: async (query) => answeredGroups(await surface.options(spot, query)),
          minQuery: element.min_query_length ?? 3,
        }
      : { kind: 'list', find: (query) => fitting(listed, query) };
  return html`<${Combobox}
    multi=${element.type.startsWith('multi_')}
    most=${'max_selected_items' in element ? element.max_selected_items : undefined}
    chosen=${chosenItems(value, known)}
    onChoose=${(/** @type {Item[]} */ chosen) => change(valueFrom(element.type, chosen))}
    source=${source}
    placeholder=${placeholder}
    pending=${pending}
    clearable=${field?.optional === true}
    attributes=${labelled(element, field, element.placeholder?.text ?? name ?? placeholder)}
  />`;
}
