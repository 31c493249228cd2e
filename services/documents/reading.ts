import type { Tx } from '../../data/database.ts'
import { forgetFailure } from '../../data/extractions-store.ts'
import { lastJobsOf } from '../../data/jobs-store.ts'
import type { Resource } from '../../data/resources-store.ts'
import type { DocumentRef } from '../../domain/documents.ts'
import { isTerminal, type JobRecord, type JobRef } from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'
import type { Principal } from '../../domain/principal.ts'
import type { AssetDocument } from '../../domain/resources/kinds/assets.ts'
import { INGEST_WORKFLOW, type IngestRunInput } from '../../workflows/ingest/messages.ts'
import type { Launch, Launcher } from '../jobs/launch.ts'
import { extractionsOf } from './extractions.ts'
import type { Extraction } from './types.ts'

/** The job that reads a document; `isNew` says whether this request made it. */
export interface ReadingJob {
  launch: Launch
  isNew: boolean
}

export interface Reading {
  extraction: Extraction
  /** None where the document has been read. */
  job?: ReadingJob
}

interface Deps {
  launcher: Pick<Launcher, 'accept' | 'refFor'>
  /** Of one attempt at reading, in milliseconds. */
  attemptMs: number
}

/**
 * How a document is going to be read, in the transaction that stores it: by the job that is at it, or by a new one where
 * there is none or it failed. An asset that was there before may have been read.
 */
export async function readingOf(
  tx: Tx,
  principal: Principal,
  { asset, is_new }: { asset: Resource; is_new: boolean },
  { launcher, attemptMs }: Deps,
): Promise<Reading> {
  const document = refOf(asset)
  const held = [{ ...document, id: asset.id }]
  if (!is_new) {
    const [extraction] = await extractionsOf(tx, held)
    if (extraction?.status === 'ready') return { extraction }
    const [last] = await lastJobsOf(tx, [asset.id])
    if (last && !isTerminal(last.status)) {
      const job = { launch: launchOfRow(last, attemptMs), isNew: false }
      return { extraction: { status: 'processing', job_id: last.job_id }, job }
    }
  }
  const job = { ...launcher.refFor(principal, 'ingest'), brain_id: asset.brain_id ?? undefined }
  const launch = launchOf({ job, document, requester: principal.actor, time_limit_ms: attemptMs })
  // Looked at after the other two: the same bytes may have been read for another asset.
  const [, , [extraction]] = await Promise.all([
    forgetFailure(tx, document.sha256, document.media_type),
    launcher.accept(tx, principal, launch),
    extractionsOf(tx, held),
  ])
  return { extraction: extraction as Extraction, job: { launch, isNew: true } }
}

/** The same launch as the one that the row was written for: beginning it again starts nothing twice. */
export function launchOfRow(row: JobRecord, attemptMs: number): Launch {
  const { job_id, root_job_id, workspace_id, brain_id, input, requester } = row
  const job: JobRef = { job_id, root_job_id, workspace_id, brain_id: brain_id ?? undefined }
  return launchOf({ job, document: input as unknown as DocumentRef, requester, time_limit_ms: attemptMs })
}

function launchOf(run: IngestRunInput): Launch {
  const { job, document, requester } = run
  const details = `Document **${document.asset_id}** (version ${document.version}), sent by ${requester}. Job \`${job.job_id}\`.`
  return {
    job,
    kind: 'ingest',
    title: document.title,
    requester,
    input: document as unknown as JsonValue,
    asset_id: document.asset_id,
    workflow: { type: INGEST_WORKFLOW, args: [run], details },
  }
}

function refOf({ id, version, title, document }: Resource): DocumentRef {
  const { sha256, size, media_type, charset, file_name } = document as AssetDocument
  return { asset_id: id, version, title, sha256, size, media_type, charset, file_name }
}
