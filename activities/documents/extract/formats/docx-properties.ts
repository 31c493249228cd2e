import { Parser } from 'htmlparser2'
import type { Package } from '../office-package.ts'

const PART = 'docProps/core.xml'

const FIELDS: Record<string, string> = {
  'dc:title': 'title',
  'dc:creator': 'author',
  'dc:subject': 'subject',
  'dc:description': 'description',
  'cp:keywords': 'keywords',
  'dc:language': 'language',
  'dcterms:created': 'created',
  'dcterms:modified': 'modified',
}

/** Returns an Office document's core properties, such as title, author and creation time. */
export async function coreProperties(parts: Package): Promise<Record<string, string>> {
  if (!parts.exists(PART)) return {}
  const properties: Record<string, string> = {}
  let field: string | undefined
  const parser = new Parser(
    {
      onopentag: name => void (field = FIELDS[name]),
      onclosetag: () => void (field = undefined),
      ontext: data => {
        if (field) properties[field] = (properties[field] ?? '') + data
      },
    },
    { xmlMode: true },
  )
  parser.end(await parts.read(PART, 'utf-8'))
  return properties
}
