import { createRedactor } from '../../core/redactor.ts';

/** Text with what must not be seen hidden. */
export type MaskText = (text: string) => string;

/** Hides these secrets, in every form that core's mask knows, then whatever the given mask hides. */
export function hiding(secrets: readonly string[], more: MaskText = (text) => text): MaskText {
  const own = createRedactor();
  for (const secret of secrets) own.learn(secret);
  return (text) => more(own.redact(text));
}
