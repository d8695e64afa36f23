import { startRelay, type Answer, type Around, type Passed, type Relay } from '../program/relay.ts';

/** A way between two programs on which things can go wrong, from one moment to the next. */
export interface Passage extends Relay {
  /** What happens to what passes from now on; undefined: it passes. */
  meet(trouble: Around | undefined): void;
}

interface Watch {
  /** Sees all that is sent, before any trouble meets it. */
  readonly onSent?: (passed: Passed) => void;
  /** What is answered here instead of being passed on. */
  readonly answered?: (passed: Passed) => Answer | undefined;
}

/** @param target the origin that requests go on to */
export async function openPassage(target: () => string, { onSent, answered }: Watch = {}): Promise<Passage> {
  let trouble: Around | undefined;
  const relay = await startRelay(target, (passed, forward) => {
    onSent?.(passed);
    const arrive: typeof forward = async (way) => answered?.(passed) ?? forward(way);
    return trouble ? trouble(passed, arrive) : arrive();
  });
  return {
    ...relay,
    meet(next) {
      trouble = next;
    },
  };
}
