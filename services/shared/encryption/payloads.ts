import { createHash } from 'node:crypto'
import {
  type DataConverter,
  ExternalStorage,
  type Payload,
  type PayloadCodec,
  StorageDriverClaim,
  ValueError,
} from '@temporalio/common'
import proto from '@temporalio/proto'
import type { Config } from '../../../config/config.ts'
import type { Database } from '../../../data/shared/database.ts'
import { readPayloads, savePayloads } from '../../../data/runs/payload-store.ts'

const { Payload: Wire } = proto.temporal.api.common.v1

/**
 * Creates a converter that stores payloads above the limit in Postgres, by run and hash, and puts a reference into
 * Temporal's history. A repeated payload, for example from a retry, adds no row. With a codec, both stores receive
 * encrypted payloads.
 */
export function createDataConverter(
  db: Database,
  config: Pick<Config, 'PAYLOAD_INLINE_BYTES'>,
  codec?: PayloadCodec,
): DataConverter {
  return {
    payloadCodecs: codec && [codec],
    externalStorage: new ExternalStorage({
      payloadSizeThreshold: config.PAYLOAD_INLINE_BYTES,
      drivers: [
        {
          name: 'postgres',
          type: 'ganglion.postgres',
          store: async ({ target }, payloads) => {
            const jobId = target?.kind === 'workflow' && target.id
            if (!jobId) throw new ValueError('a large payload does not belong to a run')
            const rows = payloads.map(encodeRow)
            await db.system(tx => savePayloads(tx, jobId, dedupe(rows)))
            return rows.map(({ sha256 }) => new StorageDriverClaim({ job_id: jobId, sha256 }))
          },
          retrieve: async (_context, claims) => Promise.all(claims.map(claim => load(db, claim))),
        },
      ],
    }),
  }
}

function encodeRow(payload: Payload) {
  const bytes = Buffer.from(Wire.encode(payload).finish())
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes }
}

const dedupe = <T extends { sha256: string }>(rows: T[]): T[] => [
  ...new Map(rows.map(row => [row.sha256, row])).values(),
]

async function load(db: Database, { claimData }: StorageDriverClaim): Promise<Payload> {
  const { job_id = '', sha256 = '' } = claimData
  const payloads = await db.system(tx => readPayloads(tx, job_id, [sha256]))
  const bytes = payloads.get(sha256)
  if (!bytes) throw new ValueError(`payload ${sha256} of ${job_id} does not exist`)
  return Wire.decode(bytes)
}
