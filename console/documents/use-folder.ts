import { keepPreviousData } from '@tanstack/react-query'
import { useRead } from '../shared/service/use-service.ts'
import { FOLDER, readPlace } from './place.ts'

/**
 * Returns the folder of a place: the parent folder of a document, or the folder itself. Undefined until it is loaded.
 */
export function useFolder(at: string | undefined): string | undefined {
  const place = readPlace(at)
  const isDocument = place !== undefined && place.kind !== FOLDER
  const { data } = useRead(
    ['resources', 'folder-of', at],
    ({ resources }) => resources.get(place?.kind as never, place?.ref ?? ''),
    { enabled: isDocument, placeholderData: keepPreviousData },
  )
  return isDocument ? data?.path : (place?.ref ?? '/')
}
