import { createHash } from 'node:crypto'
import type { Database, Tx } from '../../../data/shared/database.ts'
import type { IndexedHead } from '../../../data/search/search-state-store.ts'
import {
  countVectors,
  findChunks,
  findVectors,
  replaceChunks,
  saveVectors,
  type TextChunk,
} from '../../../data/search/text-chunks-store.ts'
import type { Chunk } from '../../../domain/search/chunking/chunk.ts'
import type { IndexEmbedder } from '../../../search/embedding/embedder.ts'
import type { RecordEmbedding } from '../../access/usage/embedding-ledger.ts'
import { findContent } from '../../../data/documents/contents-store.ts'
import { findExtractedText } from '../../../data/documents/extractions-store.ts'
import { redactDocument } from '../../../domain/resources/redacting.ts'
import { getResourceKind } from '../../../domain/resources/kinds/index.ts'
import { cut } from '../../../domain/shared/text/shorten.ts'

/** The chunks of a head's text, and the reason if they are incomplete. */
export interface ChunkedText {
  chunks: TextChunk[]
  /** The key of the text that was chunked. */
  text_key: string
  problem: string | null
}

export interface Chunker {
  /**
   * Returns the chunks for the head's version: the stored chunks, or new chunks if the text has changed. Returns
   * undefined if new chunks would exceed the limits in `most`.
   */
  chunk(head: IndexedHead, options: ChunkOptions): Promise<ChunkedText | undefined>
  /** Returns a vector for each chunk, keyed by hash. Texts that already have a vector are not embedded again. */
  embed(workspaceId: string, chunks: TitledChunk[], signal: AbortSignal): Promise<Map<string, Float32Array>>
}

export interface ChunkOptions {
  signal: AbortSignal
  /** Maximum length of the text to chunk, and maximum number of chunks to embed. */
  most?: { chars: number; chunks: number } | undefined
}

interface TitledChunk extends Pick<TextChunk, 'heading' | 'text' | 'sha256'> {
  title: string
}

/** The version of the chunking algorithm. A new version invalidates stored chunks. */
const CHUNKING_VERSION = 1
/** Maximum number of indexed chunks per resource. Any text beyond this limit is not searchable. */
const MAX_CHUNKS = 20_000
/** Number of chunks to embed and save at once. Other callers can use the embedder between batches. */
const MAX_BATCH_CHUNKS = 32

type Deps = {
  db: Database
  embedder: IndexEmbedder
  noteEmbedding?: RecordEmbedding
}

export function createChunker({ db, embedder, noteEmbedding }: Deps): Chunker {
  async function hasMoreToEmbed(workspaceId: string, chunks: TextChunk[], most = Infinity): Promise<boolean> {
    if (chunks.length <= most) return false
    const sha256s = [...new Set(chunks.map(({ sha256 }) => sha256))]
    return sha256s.length - (await db.inWorkspace(workspaceId, tx => countVectors(tx, embedder.model, sha256s))) > most
  }

  return {
    async chunk(head, { signal, most }) {
      const owner = { resource_id: head.id, version: head.version }
      const {
        text_key,
        kept: keptChunks,
        text,
      } = await db.inWorkspace(head.workspace_id, async tx => {
        const source = await buildSource(tx, head)
        const text_key = buildTextKey(source.key, embedder.model)
        return text_key === head.text_key
          ? { text_key, kept: await findChunks(tx, owner) }
          : { text_key, kept: null, text: await source.read(tx) }
      })
      const cut =
        keptChunks === null ? await cutAgain(text) : { chunks: keptChunks, problem: describeProblem(keptChunks) }
      if (!cut || (await hasMoreToEmbed(head.workspace_id, cut.chunks, most?.chunks))) return undefined
      return { ...cut, text_key }

      async function cutAgain(text: string) {
        if (most && text.length > most.chars) return undefined
        const newChunks = text.trim() === '' ? [] : await embedder.chunk(text, { signal })
        const chunks = newChunks.slice(0, MAX_CHUNKS).map(chunk => buildTextChunk(chunk, head.title))
        await db.inWorkspace(head.workspace_id, tx => replaceChunks(tx, owner, chunks))
        return { chunks, problem: describeProblem(newChunks) }
      }
    },

    async embed(workspaceId, chunks, signal) {
      const vectors = new Map<string, Float32Array>()
      for (let at = 0; at < chunks.length; at += MAX_BATCH_CHUNKS) {
        const slice = new Map(chunks.slice(at, at + MAX_BATCH_CHUNKS).map(piece => [piece.sha256, piece]))
        const knownVectors = await db.inWorkspace(workspaceId, tx => findVectors(tx, embedder.model, [...slice.keys()]))
        const missing = [...slice.values()].filter(({ sha256 }) => !knownVectors.has(sha256))
        const onUsage = (tokens: number) => noteEmbedding?.(workspaceId, tokens)
        const newVectors = await embedder.embed(missing.map(buildEmbeddedText), { signal, onUsage })
        const fresh = new Map(missing.map(({ sha256 }, i) => [sha256, newVectors[i] as Float32Array]))
        if (fresh.size > 0) await db.inWorkspace(workspaceId, tx => saveVectors(tx, embedder.model, fresh))
        for (const [sha256, vector] of [...knownVectors, ...fresh]) vectors.set(sha256, vector)
      }
      return vectors
    },
  }
}

/**
 * Returns the text to embed: title, heading and text. The title and heading are included because a chunk's text often
 * does not name its subject.
 */
export const buildEmbeddedText = ({ title, heading, text }: Pick<TitledChunk, 'title' | 'heading' | 'text'>): string =>
  [title, heading, text].filter(Boolean).join('\n')

const buildTextChunk = ({ ordinal, start, end, heading, text }: Chunk, title: string): TextChunk => ({
  ordinal,
  start,
  end,
  heading,
  text,
  sha256: sha256(buildEmbeddedText({ title, heading, text })),
})

const buildTextKey = (source: string, model: string): string =>
  sha256(JSON.stringify([CHUNKING_VERSION, model, source]))

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const describeProblem = ({ length }: { length: number }): string | null =>
  length >= MAX_CHUNKS ? `only the first ${MAX_CHUNKS} chunks of its text are searchable` : null

/** A version's searchable text, in addition to its title. */
interface Source {
  /** Changes only if the text changes. */
  key: string
  read(tx: Tx): Promise<string>
}

/** Maximum text length per resource. */
const MAX_TEXT_CHARS = 20_000_000

/** Builds a head's source: its content or the text extracted from its content, followed by the text of its document. */
async function buildSource(tx: Tx, head: IndexedHead): Promise<Source> {
  const kind = getResourceKind(head.kind)
  // Redacted fields are not searchable.
  const ownText = kind.text(redactDocument(head, head.document, kind))
  const content = kind.content?.(head.document)
  const body = content && (content.isText ? content.sha256 : await findExtractedText(tx, content))
  return {
    key: JSON.stringify([head.version, head.title, ownText, body ?? null]),
    async read(tx) {
      const bytes = body === undefined ? undefined : await findContent(tx, body)
      const text = bytes?.toString('utf8') ?? ''
      return cut([text, ownText].filter(Boolean).join('\n\n'), MAX_TEXT_CHARS)
    },
  }
}
