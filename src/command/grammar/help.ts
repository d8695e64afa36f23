import type { Entry, Field } from '../../model/registry.ts';
import { type Withheld, withheldText } from '../../model/introspection.ts';
import type { Rules } from '../../model/ports.ts';
import type { Fact, ReportParts } from '../../model/values/report.ts';
import { offeredOptions } from './words.ts';

/** Returns a usage line such as `/cloud reboot <instance> [--project <number>] [--reason "…"]`. */
export function usage(entry: Entry): string {
  return `/${entry.area} ${usageHint(entry)}`;
}

/** Returns the usage without the slash command, as the manifest's hint shows usage. */
export function usageHint(entry: Entry): string {
  if (entry.operation.formOnly === true) return entry.verb;
  const typed = entry.fields.filter((field) => field.kind !== 'rows');
  const inOrder = typed.toSorted((one, other) => Number(other.positional) - Number(one.positional));
  const reason = entry.operation.risk === 'read' ? [] : ['[--reason "…"]'];
  return [entry.verb, ...inOrder.map(fieldUsage), ...reason].join(' ');
}

/** Returns the usage with only the required and positional inputs, which are enough to start with. */
export function briefUsage({ area, verb, operation, fields }: Entry): string {
  if (operation.formOnly === true) return `/${area} ${verb}`;
  const needed = fields.filter(({ positional, required }) => positional || required);
  return [`/${area}`, verb, ...needed.map(fieldUsage)].join(' ');
}

function fieldUsage(field: Field): string {
  const many = field.kind === 'texts' || field.kind === 'choices' ? '…' : '';
  if (field.positional) return field.required ? `<${field.option}${many}>` : `[${field.option}${many}]`;
  const option = field.kind === 'flag' ? flagUsage(field) : `--${field.option} ${valueHint(field)}`;
  return field.required ? option : `[${option}]`;
}

/** A flag that is on by default can only be turned off. */
const flagUsage = (field: Field): string => `--${field.option}${field.fallback === true ? '=false' : ''}`;

const valueHint = (field: Field): string =>
  field.kind === 'integer' || field.kind === 'number' ? '<number>' : '…';

export const nothingOffered = "You can't run anything in this channel. Ask the owner of bellhop.yaml.";

/** @param unsure why entries may be missing */
export function helpOverview(
  { registry, withheld }: Pick<Rules, 'registry' | 'withheld'>,
  area: string | undefined,
  may: (entry: Entry) => boolean,
  unsure?: string,
): ReportParts {
  const entries = registry.entries.filter(
    (entry) => (area === undefined || entry.area === area) && may(entry),
  );
  return {
    title: area === undefined || area === 'bellhop' ? 'What you can do here' : `/${area}`,
    headline:
      entries.length === 0
        ? (unsure ?? nothingOffered)
        : entries.some(({ operation: { risk, atOnce } }) => risk !== 'read' || atOnce)
          ? 'You confirm changes with a button, unless a rule says otherwise.'
          : 'You can look, not change.',
    facts: area === undefined ? groupedFacts(entries) : entries.map(usageFact),
    notes: [
      ...(unsure === undefined || entries.length === 0 ? [] : [unsure]),
      'Add --help to a command for its options and examples.',
      ...approvalNote(entries),
      mentionNote(withheld?.(), area === undefined || area === 'cloud' ? undefined : entries[0]),
    ],
  };
}

const usageFact = (entry: Entry): Fact => ({ label: briefUsage(entry), value: entry.operation.summary });

/** One fact has at most this many lines. Further lines go into the next fact. */
const maxLines = 12;

/** Lists all commands on one page. In each area, changes are listed apart from reads. */
function groupedFacts(entries: readonly Entry[]): Fact[] {
  const groups = Map.groupBy(entries, ({ area, operation: { risk, atOnce } }) =>
    risk === 'read' && !atOnce ? `/${area}: reads` : `/${area}: changes`,
  );
  return [...groups].flatMap(([label, all]) => {
    const lines = all.map(usageFact).map((fact) => `${fact.label}: ${fact.value}`);
    const parts = Map.groupBy(lines, (_, index) => Math.floor(index / maxLines));
    return [...parts.values()].map((part) => ({ label, value: part.join('\n') }));
  });
}

function approvalNote(entries: readonly Entry[]): readonly string[] {
  const change = entries.find(({ operation: { risk, formOnly } }) => risk !== 'read' && !formOnly);
  const example = change?.operation.examples[0]?.replace(/ --.*/u, '');
  return example === undefined
    ? []
    : [`To see whether a change needs approval: /bellhop can ${example.slice(1)}.`];
}

function mentionNote(withheld: readonly Withheld[] = [], entry?: Entry): string {
  const lacking = withheld.find(({ what }) => what === 'mentions');
  return lacking
    ? withheldText(lacking)
    : `In threads, where slash commands do not work, mention Bellhop: @bellhop ${entry?.operation.examples[0]?.slice(1) ?? 'reboot web-1'}.`;
}

/** @param maySkip whether any rule lets its approval be skipped */
export function helpOf(entry: Entry, maySkip: boolean): ReportParts {
  const { operation } = entry;
  return {
    title: `/${entry.area} ${entry.verb}`,
    headline: operation.summary,
    facts: [
      { label: 'Usage', value: usage(entry) },
      ...entry.fields.map((field) => ({ label: fieldName(field), value: fieldHelp(field) })),
      ...offeredOptions(entry, maySkip).map(([name, { help }]) => ({ label: `--${name}`, value: help })),
      { label: 'Examples', value: operation.examples.join('\n') },
    ],
    notes: [operation.atOnce ? 'Takes effect at once.' : riskNotes[operation.risk]],
  };
}

const riskNotes = {
  read: 'Read-only.',
  change: 'Makes a change; asks you to confirm first, unless a rule says otherwise.',
  destructive: 'Interrupts a service; asks you to confirm first, unless a rule says otherwise.',
} as const;

const fieldName = (field: Field): string => (field.positional ? `<${field.option}>` : `--${field.option}`);

function fieldHelp(field: Field): string {
  const description = /[.!?]$/u.test(field.description) ? field.description : `${field.description}.`;
  const choices = field.choices.length > 0 ? ` One of: ${field.choices.join(', ')}.` : '';
  return `${description}${choices}${field.required ? '' : defaultHelp(field.fallback)}`;
}

const defaultHelp = (fallback: unknown): string =>
  typeof fallback === 'string' || typeof fallback === 'number' || fallback === true
    ? ` Default: ${String(fallback)}.`
    : ' Optional.';
