import { didYouMean } from '../../command/grammar/nearest.ts';

export type Path = readonly PropertyKey[];

/** What is wrong with the value at a path, or with the key that leads there. */
export interface Finding {
  readonly path: Path;
  readonly at?: 'key' | 'value' | undefined;
  readonly text: string;
  /** A word that is not among those that could stand there. */
  readonly misspelt?: { readonly typed: string; readonly known: Iterable<string> } | undefined;
}

export type Severity = 'error' | 'warning';

/** A finding for people and programs. Lines and columns begin at 1; absent where the file could not be read that far. */
export interface LocatedFinding {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** `rules[2] “production”.roles[0]`; empty where the file could not be read that far. */
  readonly path: string;
  readonly severity: Severity;
  readonly message: string;
  /** What was probably meant, as a sentence. */
  readonly suggestion?: string | undefined;
}

/** One edit away: of names that people chose, “web” and “db” are two. */
export const suggestionFor = ({ misspelt }: Finding): string | undefined => {
  const hint = misspelt ? didYouMean(misspelt.typed, misspelt.known, 1).trim() : '';
  return hint === '' ? undefined : hint;
};

const mostLines = 20;

/** `bellhop.yaml:12:14: rules[2] “production”.roles[0]: what is wrong`, in the order of the file, at most `most` of them. */
export function findingLines(findings: readonly LocatedFinding[], most = mostLines): readonly string[] {
  const lines = [...new Set(findings.toSorted(byPlace).map(findingLine))];
  const shown = lines.slice(0, most);
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `${findings[0]?.file ?? ''}: … and ${more} more.`] : shown;
}

function findingLine(finding: LocatedFinding): string {
  const { file, line, column, path, severity, message, suggestion = '' } = finding;
  const place = line === undefined ? '' : `:${line}:${column}:`;
  const kind = severity === 'warning' ? 'warning:' : '';
  const what = [kind, path === '' ? '' : `${path}:`, message, suggestion].filter((part) => part !== '');
  return `${file}${place} ${what.join(' ')}`.replaceAll(/\p{C}/gu, '�');
}

/** What has no place comes last. */
const byPlace = (one: LocatedFinding, other: LocatedFinding): number =>
  (one.line ?? Infinity) - (other.line ?? Infinity) || (one.column ?? 0) - (other.column ?? 0);
