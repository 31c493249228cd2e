import { isJsonObject, type JsonValue } from '../shared/json/json.ts'

/** A file, as the message or answer that uses it stores it. */
export interface FileRef {
  id: string
  file_name: string
  media_type: string
  size: number
}

/** Maximum number of files in a message. */
export const MAX_MESSAGE_FILES = 10

/**
 * Returns the ids in a node's `files`: an id, an object with an `id`, or a list of them. Returns the problem for any
 * other value.
 */
export function readFileIds(value: JsonValue): string[] | { problem: string } {
  const values = Array.isArray(value) ? value : [value]
  const ids = values.map(item => (isJsonObject(item) ? item.id : item)).filter(id => typeof id === 'string')
  if (ids.length < values.length) return { problem: 'must be a list of file ids, or of objects with the id of a file' }
  const distinctIds = [...new Set(ids)]
  return distinctIds.length > MAX_MESSAGE_FILES
    ? { problem: `must have at most ${MAX_MESSAGE_FILES} files, not ${distinctIds.length}` }
    : distinctIds
}

/** Image types that models accept. */
const MODEL_IMAGES = /^image\/(?:png|jpeg|gif|webp)$/

/** Returns whether a model that takes images can read this type as an image. */
export const isModelImage = (media_type: string): boolean => MODEL_IMAGES.test(media_type)
