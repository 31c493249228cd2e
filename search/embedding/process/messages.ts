import type { Chunk } from '../../../domain/chunking/chunk.ts'

/** The first message to the process. */
export interface ProcessSettings {
  /** Undefined for a process that only chunks and estimates token counts. */
  model?: ModelSettings
  chunkTokens: number
  overlapTokens: number
  /** Default: normal. */
  priority?: ProcessPriority
}

/** On a busy machine: `low` has a third of the time of normal work, `idle` only what all other work leaves. */
export type ProcessPriority = 'normal' | 'low' | 'idle'

export interface ModelSettings {
  /** The folder of the model's files. */
  folder?: string
  /** A model hub. The files are fetched from it into the folder. */
  hub?: string
  dimensions: number
  /** The number of tokens that the model reads. Longer texts are truncated. */
  maxInputTokens: number
  threads: number
}

export type Task = { do: 'load' } | { do: 'embed'; texts: string[] } | { do: 'chunk'; text: string }
export type ToProcess = { settings: ProcessSettings } | { id: number; task: Task } | { id: number; cancel: true }

/** A chunk without its text, which the parent process has. */
export type ChunkPosition = Omit<Chunk, 'text'>

/** The vectors of a list of texts. */
export interface EmbeddedTexts {
  /** All vectors concatenated. */
  vectors: Float32Array
  /** Indexes of the texts of which the model read only the beginning. */
  truncated: number[]
}

/** Vectors, or some chunks in order. */
export interface Result {
  embedded?: EmbeddedTexts
  chunks?: ChunkPosition[]
}

/** A task ends with `done` or `failed`. Other messages report its progress. */
export type FromProcess = { id: number; result: Result; done: boolean } | { id: number; failed: string; cause: string }

/** The model cannot be loaded. The message names the setting to change. */
export class ModelUnavailable extends Error {}
