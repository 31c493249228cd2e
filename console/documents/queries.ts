import type { Schema } from '@ganglion/client'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { useSignedIn } from '../service/signed-in.tsx'
import { DOCUMENT_KINDS } from './place.ts'
import type { Mode } from './search.ts'

const CHILDREN = 200
/** With so many children of each, the service lists no more folders at once. */
const FOLDERS = 25
const MATCHES = 50

/** The children of folders, by the keys of the folders. */
export function useFoldersQuery(keys: string[]) {
  const { ganglion, brainId } = useSignedIn()
  return queryOptions({
    queryKey: ['resources', 'tree', brainId, keys],
    queryFn: async () => {
      const reply = await ganglion.browse.tree({ parent_keys: keys.slice(0, FOLDERS), limit: CHILDREN })
      return 'parents' in reply ? reply.parents : {}
    },
    placeholderData: keepPreviousData,
  })
}

/** The paths of the folders, to choose one from. */
export function useFolderNamesQuery() {
  const { ganglion, brainId } = useSignedIn()
  return queryOptions({
    queryKey: ['resources', 'folder-names', brainId],
    queryFn: async () => {
      const reply = await ganglion.resources.tree({ shape: 'folders', limit: CHILDREN })
      return 'folders' in reply ? reply.folders.map(({ path }) => path) : []
    },
  })
}

export function useSearchQuery(query: string, mode: Mode) {
  const { ganglion, brainId } = useSignedIn()
  return queryOptions({
    queryKey: ['resources', 'search', brainId, query, mode],
    queryFn: () => ganglion.search.query({ query, mode, types: Object.keys(DOCUMENT_KINDS) as never, limit: MATCHES }),
    placeholderData: keepPreviousData,
  })
}

/** An asset or an artifact, at one of its versions. */
export function useDocumentQuery(kind: 'assets' | 'artifacts', id: string, version: number | undefined) {
  const { ganglion } = useSignedIn()
  return queryOptions({
    queryKey: ['resources', 'document', kind, id, version],
    queryFn: async (): Promise<Schema<'Asset'> | Schema<'Artifact'>> => ganglion[kind].get(id, { version }),
  })
}

export function useVersionsQuery(kind: 'assets' | 'artifacts', id: string) {
  const { ganglion } = useSignedIn()
  return queryOptions({
    queryKey: ['resources', 'versions', kind, id],
    queryFn: async () => (await ganglion[kind].history(id)).data,
  })
}

/** Shown of a content, in bytes. The rest is downloaded. */
export const SHOWN_BYTES = 65_536

/** The beginning of a text. Contents of a version never change. */
export function useContentQuery(kind: 'assets' | 'artifacts', id: string, version: number) {
  const { ganglion } = useSignedIn()
  return queryOptions({
    queryKey: ['content', kind, id, version],
    queryFn: async () => {
      const headers = { range: `bytes=0-${SHOWN_BYTES - 1}` }
      const response = await ganglion[kind].content(id, { version }, { headers })
      return response.text()
    },
    staleTime: Infinity,
  })
}
