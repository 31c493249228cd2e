import type { Chunk } from '../../../domain/chunking/chunk.ts'

/** The first message to the process. */
export interface ProcessSettings {
  /** Undefined for a process that only chunks and estimates token counts. */
  model?: ModelSettings
  chunkTokens: number
  overlapTokens: number
}

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

/** All vectors concatenated, or some chunks in order. */
export interface Result {
  vectors?: Float32Array
  chunks?: ChunkPosition[]
}

/** A task ends with `done` or `failed`. Other messages report its progress. */
export type FromProcess = { id: number; result: Result; done: boolean } | { id: number; failed: string; cause: string }

/** The model cannot be loaded. The message names the setting to change. */
export class ModelUnavailable extends Error {}
