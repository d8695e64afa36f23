// The parts of Node's Buffer that verifying a log needs, for browsers.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const fromLatin1 = (text: string): Bytes => {
  const bytes = new Bytes(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
};

/** Returns no bytes for text that is not base64. */
function fromBase64(text: string): Bytes {
  try {
    return new Bytes(Uint8Array.fromBase64(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return new Bytes(0);
  }
}

export class Bytes extends Uint8Array {
  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, index) => byte === other[index]);
  }

  override toString(encoding = 'utf8', from = 0, to = this.length): string {
    const part = this.subarray(from, to);
    if (encoding === 'utf8') return decoder.decode(part);
    if (encoding === 'hex') return part.toHex();
    if (encoding === 'base64') return part.toBase64();
    if (encoding === 'base64url') return part.toBase64({ alphabet: 'base64url', omitPadding: true });
    let latin1 = '';
    for (const byte of part) latin1 += String.fromCharCode(byte);
    return latin1;
  }

  readBigUInt64BE(): bigint {
    return new DataView(this.buffer, this.byteOffset).getBigUint64(0);
  }
}

export const Buffer = {
  alloc: (length: number): Bytes => new Bytes(length),
  of: (...bytes: readonly number[]): Bytes => new Bytes(bytes),
  from(text: string, encoding = 'utf8'): Bytes {
    if (encoding === 'latin1') return fromLatin1(text);
    if (encoding === 'hex') return new Bytes(Uint8Array.fromHex(text));
    return encoding.startsWith('base64') ? fromBase64(text) : new Bytes(encoder.encode(text));
  },
  concat(parts: readonly Uint8Array[]): Bytes {
    const whole = new Bytes(parts.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    for (const part of parts) {
      whole.set(part, end);
      end += part.length;
    }
    return whole;
  },
};
