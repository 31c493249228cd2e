import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CHECKOUT } from '../../dev/machine/folders.ts'

interface Part {
  file: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}

const BUILD = join(CHECKOUT, 'build/console')
const read = (file: string) => readFileSync(join(BUILD, file))
const manifest = JSON.parse(read('.vite/manifest.json').toString()) as Record<string, Part>

/**
 * The compressed size in kB of the given parts and their imports, all of which a browser loads before the parts work.
 */
function measure(...names: string[]): { js: number; css: number } {
  const files = new Set<string>()
  const collect = (name: string) => {
    const { file, imports = [], css = [] } = manifest[name] as Part
    if (files.has(file)) return
    for (const one of [file, ...css]) files.add(one)
    imports.forEach(collect)
  }
  names.forEach(collect)
  const sum = (end: string) =>
    [...files]
      .filter(file => file.endsWith(end))
      .reduce((total, file) => total + gzipSync(read(file), { level: 9 }).length, 0)
  return { js: sum('.js') / 1_000, css: sum('.css') / 1_000 }
}

const ENTRY = 'index.html'
/** Required by every page, and loaded separately. */
const THEME = 'shared/shell/theme-provider.tsx'
const pages = manifest[ENTRY]?.dynamicImports ?? []

/** Code that would compile strings, or load files from another origin. */
const FORBIDDEN = [
  /\beval\(|new Function\b/,
  /(?:import|fetch|Worker|EventSource|WebSocket|importScripts)\(\s*["'`](?:https?:)?\/\//,
  /(?:url\(|@import)\s*["']?(?:https?:)?\/\//,
  /<(?:script|link|img|iframe)[^>]*(?:src|href)=["']?(?:https?:)?\/\//,
]

test('the initial load of each visit is small', () => {
  const { js, css } = measure(ENTRY)
  expect(js).toBeLessThan(127)
  expect(css).toBeLessThan(5)
})

test.each(pages)('the first visit to %s loads no more than the largest allowed page', page => {
  const { js, css } = measure(ENTRY, THEME, page)
  expect(js).toBeLessThan(300)
  expect(css).toBeLessThan(22)
})

test('the built files compile no code from strings and load nothing from another origin', () => {
  const files = readdirSync(BUILD, { recursive: true, encoding: 'utf8' }).filter(file => /\.(js|css|html)$/.test(file))
  expect(files.length).toBeGreaterThan(50)
  const found = files.flatMap(file => FORBIDDEN.flatMap(text => read(file).toString().match(text)?.slice(0, 1) ?? []))
  expect(found).toEqual([])
})
