/** A file, as the message or answer that uses it stores it. */
export interface FileRef {
  id: string
  file_name: string
  media_type: string
  size: number
}

/** Maximum number of files in a message. */
export const MAX_MESSAGE_FILES = 10

/** Image types that models accept. */
const MODEL_IMAGES = /^image\/(?:png|jpeg|gif|webp)$/

/** Returns whether a model that takes images can read this type as an image. */
export const isModelImage = (media_type: string): boolean => MODEL_IMAGES.test(media_type)
