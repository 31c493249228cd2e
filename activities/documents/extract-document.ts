import type { Logger } from 'pino'
import { touchAssetsWithContent } from '../../data/documents/assets-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { type ExtractionRecord, findExtractions } from '../../data/documents/extractions-store.ts'
import { type DocumentRef, type TextFacts, formatReadType } from '../../domain/documents/documents.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'
import { allButOne, createSemaphore } from '../../domain/shared/fairness/semaphore.ts'
import { readContent } from '../../services/documents/contents.ts'
import { type ExtractedText, saveExtractedText, buildExtractedText } from '../../services/documents/extracted-text.ts'
import { isAudio, type ReadType } from '../../services/documents/known-types.ts'
import type { Transcript } from '../../domain/speech/transcript.ts'
import { type AudioFormat, findAudioFormat } from '../../domain/speech/audio.ts'
import type { ProjectionWriter } from '../runs/projection-writer.ts'
import type { StepError } from '../../domain/runs/step-error.ts'
import { AudioError } from '../speech/audio-error.ts'
import type { Transcription } from '../speech/transcription.ts'
import type { IngestActivities } from '../types.ts'
import { withHeartbeat } from '../shared/with-heartbeat.ts'
import { DocumentError } from '../../services/documents/reading/document-error.ts'
import type { ExtractedDocument } from '../../services/documents/reading/extracted.ts'
import type { Extractor } from './extract/extractor.ts'

export interface TextExtractionDeps {
  db: Database
  extractor: Pick<Extractor, 'extract'>
  transcription: Pick<Transcription, 'transcribe'>
  /** Maximum number of documents in memory. Other documents wait, and their bytes are not loaded yet. */
  readers: number
}

/** Extracts the text of documents once per stored content. */
export interface TextExtraction {
  /**
   * Extracts and saves the text, and queues the document's assets for search. Throws DocumentError, AudioError, and the
   * signal's reason.
   */
  extract(input: Input, signal: AbortSignal, onProgress?: (done: number, total: number) => void): Promise<TextFacts>
}

/** The reading speed that any document reaches unless it is malicious. */
const BYTES_PER_MS = 1_000

interface Input {
  job: JobRef
  document: DocumentRef
}

export function createTextExtraction({ db, extractor, transcription, readers }: TextExtractionDeps): TextExtraction {
  // Slow documents from one workspace leave at least one reader for the others.
  const semaphore = createSemaphore(readers, { perGroup: allButOne(readers) })

  async function extract(
    { job, document }: Input,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void = () => undefined,
  ): Promise<TextFacts> {
    const { workspace_id } = job
    const release = await semaphore.acquire(signal, workspace_id, document.size / BYTES_PER_MS)
    try {
      const record = await findExtraction(workspace_id, document)
      if (record) return await saveOutcome(workspace_id, { record })
      const bytes = await readContent(db, workspace_id, document, signal)
      const extracted = await read({ job, document }, bytes, signal, onProgress)
      signal.throwIfAborted()
      return await saveOutcome(workspace_id, await buildExtractedText(document, extracted))
    } catch (error) {
      if (error instanceof DocumentError || error instanceof AudioError)
        await saveOutcome(workspace_id, { record: createFailureRecord(document, error) })
      throw error
    } finally {
      release()
    }
  }

  /** Extracts a document's text, or transcribes audio. */
  async function read(
    { job, document }: Input,
    bytes: Uint8Array,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void,
  ): Promise<ExtractedDocument> {
    const { media_type, charset, file_name } = document
    const source = { media_type: media_type as ReadType, charset, file_name }
    if (!isAudio(media_type))
      return extractor.extract(bytes, source, { workspace_id: job.workspace_id, signal, onProgress })
    const audio = { bytes, format: findAudioFormat(media_type) as AudioFormat }
    return extractTranscript(await transcription.transcribe({ job, key: 'audio' }, audio, signal))
  }

  async function findExtraction(workspaceId: string, document: DocumentRef): Promise<ExtractionRecord | undefined> {
    const { sha256 } = document
    const extractions = await db.inWorkspace(workspaceId, tx => findExtractions(tx, [sha256]))
    return extractions.find(record => record.media_type === formatReadType(document) && record.text_sha256 !== null)
  }

  /** Stores the outcome and queues the assets in one transaction. */
  async function saveOutcome(workspaceId: string, outcome: ExtractedText): Promise<TextFacts> {
    const { sha256, pages, characters } = outcome.record
    await db.inWorkspace(workspaceId, async tx => {
      await saveExtractedText(tx, outcome)
      await touchAssetsWithContent(tx, sha256)
    })
    return { pages, characters: characters ?? 0 }
  }

  return { extract }
}

export interface ExtractDeps {
  textExtraction: TextExtraction
  writer: Pick<ProjectionWriter, 'recordStart'>
  log: Logger
}

/** Creates the `extract` activity. The history contains neither bytes nor text. */
export function createExtractActivity({ textExtraction, writer, log }: ExtractDeps): IngestActivities['extract'] {
  const logFields = ({ document }: Input) => ({ asset_id: document.asset_id })
  return withHeartbeat({ log, subject: 'extraction', logFields }, (input: Input, { signal, setDetails }) => {
    const { job } = input
    let last: number | undefined
    return textExtraction.extract(input, signal, (done, total) => {
      if (done === last) return
      last = done
      const progress = { done, total }
      setDetails(progress)
      writer.recordStart({ job, status: 'running', progress, nodes: [], interventions: [] })
    })
  })
}

function extractTranscript({ segments, language, duration_seconds }: Transcript): ExtractedDocument {
  const metadata = { duration_seconds: String(duration_seconds), ...(language && { language }) }
  return { text: segments.map(({ text }) => text).join('\n'), title: null, metadata }
}

function createFailureRecord(document: DocumentRef, { code, message }: StepError): ExtractionRecord {
  const emptyFields = {
    text_sha256: null,
    title: null,
    pages: null,
    page_offsets: null,
    characters: null,
    metadata: {},
  }
  return {
    sha256: document.sha256,
    media_type: formatReadType(document),
    ...emptyFields,
    error_code: code,
    error_message: message,
  }
}
