import { skillEntry, type Skill } from '@modelcontextprotocol/server/ext/skills'
import { NotFound } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { ProductService } from '../../../services/resources/product.ts'
import type { ProductView } from '../../../contract/resources/product.ts'

/** Workspace skills in the skills extension's format: a folder with `SKILL.md` and other files. */

const SCHEME = 'skill://'
export const isSkillUri = (uri: string): boolean => uri.startsWith(SCHEME)

type SkillsDeps = { skills: Pick<ProductService, 'list' | 'read'> }

export interface SkillText {
  slug: string
  title: string
  description: string
  instructions: string
  files: { name: string; text: string }[]
}

/** Maximum description length in the skills extension. */
const MAX_DESCRIPTION_CHARS = 1_024

export function presentSkillText({ slug, title, description, instructions, files }: ProductView): SkillText {
  const about = typeof description === 'string' && description !== '' ? description : title
  return {
    slug,
    title,
    description: about.slice(0, MAX_DESCRIPTION_CHARS),
    instructions: instructions as string,
    files: files as SkillText['files'],
  }
}

/** Returns the files of a skill by path. */
export function listFiles({ slug, description, instructions, files }: SkillText): Record<string, string> {
  const head = `---\nname: ${slug}\ndescription: ${JSON.stringify(description)}\n---\n`
  const others = files.map(({ name, text }) => [`files/${encodeURIComponent(name)}`, text] as const)
  return { 'SKILL.md': `${head}\n${instructions}\n`, ...Object.fromEntries(others) }
}

/** Returns a skill's entry with the hashes of its files, or undefined if the extension doesn't support the skill. */
export const createSkillEntry = (skill: SkillText): Promise<Skill | undefined> =>
  skillEntry(skill.slug, listFiles(skill)).catch(() => undefined)

/** Reads a file of a skill by its URI. Throws NotFound. */
export async function readSkillFile({ skills }: SkillsDeps, principal: Principal, uri: string): Promise<string> {
  const [slug = '', ...path] = uri.slice(SCHEME.length).split('/')
  const text = listFiles(presentSkillText(await skills.read(principal, slug)))[path.join('/')]
  if (text === undefined) throw new NotFound(`"${uri}"`)
  return text
}
