import { z } from 'zod'
import type { Evidence } from '../../../services/evidence/evidence.ts'
import type { PublicKey } from '../../../services/evidence/signer.ts'

const algorithm = z.literal('Ed25519')

export const evidence = z
  .object({
    document: z.custom<Evidence['document']>().meta({
      type: 'object',
      description:
        '`evidence/1`: what was shown with its hash, the run with pathway and version, the votes with their roles, the history, and the entries of the audit log with their seals',
    }),
    signature: z
      .object({
        algorithm,
        key_id: z.string(),
        value: z.string().meta({ description: 'Of the canonical JSON (RFC 8785) of the document, in Base64' }),
      })
      .nullable()
      .meta({ description: 'Null where the service has no key to sign with' }),
  })
  .meta({ id: 'Evidence' }) satisfies z.ZodType<Evidence>

export const evidenceKeys = z
  .object({
    data: z.array(
      z.object({
        key_id: z.string(),
        algorithm,
        public_key: z.string().meta({ description: 'As PEM' }),
        is_current: z.boolean().meta({ description: 'Whether new documents are signed with it' }),
      }) satisfies z.ZodType<PublicKey>,
    ),
  })
  .meta({ id: 'EvidenceKeys' })
