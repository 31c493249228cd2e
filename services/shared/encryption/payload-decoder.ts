import { type Payload, type PayloadCodec, ValueError } from '@temporalio/common'
import type { Config } from '../../../config/config.ts'
import { Forbidden, ValidationError } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { EncodedPayload } from '../../../contract/shared/temporal-payload.ts'

/** Decrypts run payloads for the installation's operators. */
export interface PayloadDecoder {
  /**
   * Returns unencrypted payloads unchanged. Throws Forbidden for callers outside the operators' workspace, because
   * Temporal contains the runs from all workspaces. Throws ValidationError for payloads with unknown keys.
   */
  decode(principal: Principal, payloads: EncodedPayload[]): Promise<EncodedPayload[]>
}

interface Deps {
  codec: PayloadCodec | undefined
  config: Pick<Config, 'OPERATORS_WORKSPACE'>
}

export function createPayloadDecoder({ codec, config }: Deps): PayloadDecoder {
  return {
    async decode({ workspace_slug }, payloads) {
      if (workspace_slug !== config.OPERATORS_WORKSPACE)
        throw new Forbidden('Only members of the workspace OPERATORS_WORKSPACE can decrypt Temporal payloads')
      if (!codec) return payloads
      const decoded = await codec.decode(payloads.map(fromBase64)).catch((error: unknown) => {
        throw error instanceof ValueError || isTampered(error) ? new ValidationError(UNREADABLE) : error
      })
      return decoded.map(toBase64)
    },
  }
}

const UNREADABLE = 'A payload was modified, or encrypted with a key that is not configured'

/** Node's error for an invalid authentication tag. */
const isTampered = (error: unknown): boolean => error instanceof Error && /unable to authenticate/i.test(error.message)

const fromBase64 = ({ metadata, data }: EncodedPayload): Payload => ({
  metadata: metadata && mapValues(metadata, text => Buffer.from(text, 'base64')),
  data: data === undefined ? undefined : Buffer.from(data, 'base64'),
})

const toBase64 = ({ metadata, data }: Payload): EncodedPayload => ({
  metadata: mapValues(metadata ?? {}, bytes => Buffer.from(bytes).toString('base64')),
  data: Buffer.from(data ?? []).toString('base64'),
})

const mapValues = <A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
