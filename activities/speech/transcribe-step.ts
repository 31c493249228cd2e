import { Context } from '@temporalio/activity'
import { z } from 'zod'
import type { Database } from '../../data/shared/database.ts'
import { findResource } from '../../data/resources/resources-store.ts'
import { AppError } from '../../domain/shared/errors.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import type { AssetDocument } from '../../domain/resources/kinds/assets.ts'
import { type AudioFormat, findAudioFormat, spokenLanguage } from '../../domain/speech/audio.ts'
import { getBrainAccess, visibleBrains } from '../../services/access/brains.ts'
import { readContent } from '../../services/documents/contents.ts'
import { detectAudioFormat } from '../../services/speech/inspect-audio.ts'
import { decodeBase64 } from '../../domain/shared/text/base64.ts'
import { readStep } from '../shared/read-step.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import type { Step } from '../runs/step.ts'
import { AudioError } from './audio-error.ts'
import type { Transcription } from './transcription.ts'

const line = z.string().trim().min(1).max(500)

/** A `transcribe` node's `with` after its expressions are resolved. */
const transcribeStep = z.union([
  z.strictObject({ asset: line, language: spokenLanguage }),
  z.strictObject({ audio_base64: z.string().min(1), mime_type: line, language: spokenLanguage }),
])

interface Deps {
  db: Database
  transcription: Pick<Transcription, 'transcribe'>
}

type Source = { bytes: Uint8Array; format: AudioFormat }

/**
 * Runs the `transcribe` node, which transcribes an asset or inline audio. Its output is `{text, language?,
 * duration_seconds, segments}`. A retry continues with the pieces that have no answer. Throws StepError: the errors
 * of Splitter and SpeechService, NODE_INPUT_INVALID and ASSET_NOT_FOUND.
 */
export function createTranscribeStep({ db, transcription }: Deps): Step {
  async function readAsset(job: JobRef, idOrSlug: string, signal: AbortSignal): Promise<Source> {
    const { workspace_id } = job
    const brain_ids = visibleBrains(getBrainAccess(job))
    const asset = await db.inWorkspace(workspace_id, tx => findResource(tx, { kind: 'assets', idOrSlug, brain_ids }))
    if (!asset) throw new StepError('ASSET_NOT_FOUND', `There is no asset ${idOrSlug}`)
    const { media_type, sha256, size } = asset.document as AssetDocument
    const format = findAudioFormat(media_type)
    if (!format) throw new AudioError('AUDIO_UNSUPPORTED', `The asset must be audio, but is ${media_type}`)
    return { bytes: await readContent(db, workspace_id, { sha256, size }, signal), format }
  }

  return async ({ job, node, with: rawStep }) => {
    const { cancellationSignal: signal } = Context.current()
    const params = readStep(transcribeStep, rawStep)
    const source = 'asset' in params ? await readAsset(job, params.asset, signal) : await decodeAudio(params)
    const audio = { job, key: node.key, language: params.language }
    const transcript = await transcription.transcribe(audio, source, signal)
    return { output: transcript as unknown as JsonValue }
  }
}

async function decodeAudio({ audio_base64, mime_type }: { audio_base64: string; mime_type: string }): Promise<Source> {
  const bytes = decodeBase64(audio_base64)
  if (!bytes)
    throw new StepError('NODE_INPUT_INVALID', 'The audio_base64 must be base64 (RFC 4648, without line breaks)')
  try {
    return { bytes, format: await detectAudioFormat(bytes, mime_type) }
  } catch (error) {
    throw error instanceof AppError ? new AudioError('AUDIO_UNSUPPORTED', error.message) : error
  }
}
