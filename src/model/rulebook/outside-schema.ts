import { z } from 'zod';

import { oneOrMore, secretReference } from './schema-parts.ts';

const most = 8;

export const auditSection = z.strictObject({
  key: oneOrMore(secretReference)
    .pipe(z.array(z.string()).max(most))
    .optional()
    .describe(
      '`secret:name` of the [signing key](reliability.md#the-key), or several while you replace it; read at start; default: one in `DATA_DIR`, for one replica only',
    ),
});
