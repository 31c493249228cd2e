import { posix } from 'node:path'
import { Parser } from 'htmlparser2'
import type { Package } from '../office-package.ts'

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const STRICT_RELATIONS = 'http://purl.oclc.org/ooxml/officeDocument/relationships'
const ROOT_RELATIONS = '_rels/.rels'
const ROOT_ELEMENTS = /<(\/?)w:(?:hdr|ftr)\b([^>]*)>/g

/** Returns a document's headers or footers, each as a separate package. */
export async function openMargins(parts: Package, kind: 'header' | 'footer'): Promise<Package[]> {
  const [main = 'word/document.xml'] = await findRelated(parts, ROOT_RELATIONS, 'officeDocument')
  const names = await findRelated(parts, relationsOf(main), kind)
  return names.map(name => presentAsDocument(parts, name, main))
}

const relationsOf = (part: string): string => posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`)

/** Returns the parts that relations of the given type point to. */
async function findRelated(parts: Package, relations: string, type: string): Promise<string[]> {
  if (!parts.exists(relations)) return []
  const folder = posix.dirname(posix.dirname(relations))
  const types = new Set([`${RELATIONS}/${type}`, `${STRICT_RELATIONS}/${type}`])
  const relatedPaths = new Set<string>()
  const parser = new Parser(
    {
      onopentag: (_name, { Type = '', Target = '' }) => {
        if (types.has(Type)) relatedPaths.add(Target.startsWith('/') ? Target.slice(1) : posix.join(folder, Target))
      },
    },
    { xmlMode: true },
  )
  parser.end(await parts.read(relations, 'utf-8'))
  return [...relatedPaths].filter(name => parts.exists(name))
}

/** Returns a package in which the given part and its relations replace the document and its relations. */
function presentAsDocument(parts: Package, name: string, main: string): Package {
  const replaced: Record<string, string> = { [main]: name, [relationsOf(main)]: relationsOf(name) }
  const keptPaths = new Set(['[Content_Types].xml', ROOT_RELATIONS])
  return {
    names: () => [...keptPaths, ...Object.keys(replaced)],
    exists: path => parts.exists(replaced[path] ?? path) && (path in replaced || keptPaths.has(path)),
    async read(path, encoding) {
      const xml = await parts.read(replaced[path] ?? path, encoding)
      if (path !== main) return xml
      return xml.replaceAll(ROOT_ELEMENTS, (_, end: string, attributes: string) =>
        end ? '</w:body></w:document>' : `<w:document${attributes}><w:body>`,
      )
    },
  }
}

/** Returns a package without the document's hidden text. */
export async function withoutHidden(parts: Package): Promise<Package> {
  const styles = 'word/styles.xml'
  const hidden = parts.exists(styles) ? findHiddenStyles(await parts.read(styles, 'utf-8')) : new Set<string>()
  return {
    ...parts,
    read: async (path, encoding) => {
      const xml = await parts.read(path, encoding)
      return path === styles ? xml : removeHidden(xml, hidden)
    },
  }
}

type Attributes = Record<string, string>

const isVanish = (name: string, { 'w:val': value }: Attributes): boolean =>
  name === 'w:vanish' && value !== '0' && value !== 'false'

function findHiddenStyles(xml: string): Set<string> {
  const hidden = new Set<string>()
  let style = ''
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'w:style') style = attributes['w:styleId'] ?? ''
        else if (isVanish(name, attributes)) hidden.add(style)
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return hidden
}

/** A run or paragraph whose end has not been read yet. */
interface Open {
  name: string
  start: number
  isHidden: boolean
}

/** Removes hidden runs. Text stays visible if only its paragraph mark is hidden. */
function removeHidden(xml: string, hiddenStyles: Set<string>): string {
  if (hiddenStyles.size === 0 && !xml.includes('w:vanish')) return xml
  const open: Open[] = []
  const path: string[] = []
  const hidden: { start: number; end: number }[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'w:r' || name === 'w:p') {
          const isHidden = name === 'w:r' && open.at(-1)?.name === 'w:p' && open.at(-1)?.isHidden === true
          open.push({ name, start: parser.startIndex, isHidden })
        }
        const inRun = path.at(-1) === 'w:rPr' && path.at(-2) === 'w:r'
        const inParagraph = path.at(-1) === 'w:pPr' && name === 'w:pStyle'
        const last = open.at(-1)
        if (last && inRun && name === 'w:vanish') last.isHidden = isVanish(name, attributes)
        else if (last && ((inRun && name === 'w:rStyle') || inParagraph))
          last.isHidden ||= hiddenStyles.has(attributes['w:val'] ?? '')
        path.push(name)
      },
      onclosetag(name) {
        path.pop()
        if (name !== 'w:r' && name !== 'w:p') return
        const element = open.pop()
        if (name === 'w:p' || !element?.isHidden) return
        const { start } = element
        // A text box can be inside a run.
        while ((hidden.at(-1)?.start ?? 0) > start) hidden.pop()
        hidden.push({ start, end: parser.endIndex + 1 })
      },
    },
    { xmlMode: true },
  )
  parser.end(xml)
  return (
    hidden.map(({ start }, at) => xml.slice(hidden[at - 1]?.end ?? 0, start)).join('') +
    xml.slice(hidden.at(-1)?.end ?? 0)
  )
}
