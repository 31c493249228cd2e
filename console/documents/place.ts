import { splitRef } from '../shared/parts/names.ts'

/** Document kinds with their singular labels. */
export const DOCUMENT_KINDS: Record<string, string> = {
  assets: 'asset',
  artifacts: 'artifact',
  meetings: 'meeting',
  stakeholder_maps: 'stakeholder map',
}

/** The selected item: a folder by its path, or a resource by its kind and id. */
interface Place {
  kind: string
  ref: string
}

export const FOLDER = 'folder'
export const ROOT = `${FOLDER}:/`

/** Parses `folder:/contracts` or `assets:<id>`. */
export function readPlace(text: string | undefined): Place | undefined {
  if (!text) return undefined
  const [kind, ref] = splitRef(text)
  return { kind, ref }
}
