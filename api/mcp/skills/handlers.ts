import { ProtocolError, ProtocolErrorCode, type Prompt, type Server } from '@modelcontextprotocol/server'
import { SKILLS_GET_METHOD, SKILLS_LIST_METHOD } from '@modelcontextprotocol/server/ext/skills'
import { z } from 'zod'
import { NotFound } from '../../../domain/shared/errors.ts'
import type { ServerDeps } from '../build-server.ts'
import type { McpCaller } from '../calls/call-tool.ts'
import { checkPermission } from '../calls/check-permission.ts'
import { nextCursor, readCursor } from '../protocol/cursor.ts'
import { checkKind, type Reach } from '../calls/reach.ts'
import { asProtocolError } from '../protocol/protocol-errors.ts'
import { listFiles, type SkillText, createSkillEntry, presentSkillText } from './skills.ts'

const PROMPTS = 100
/** Page size. Small, because every listed skill is hashed. */
const ENTRIES = 20

const uriParams = z.looseObject({ uri: z.string().regex(/^skill:\/\/[^/]{1,300}\/SKILL\.md$/) })
const listParams = z.looseObject({ cursor: z.string().optional() })

/** Serves skills, as prompts for all clients and through the skills extension. */
export function handleSkills(server: Server, { skills, accessOf }: ServerDeps, caller: McpCaller, reach: Reach): void {
  const { principal } = caller

  async function list(cursor: string | undefined, limit: number) {
    checkPermission(accessOf, 'skills.list', caller)
    if (!reach.kinds.includes('skills')) return { found: [], next: {} }
    const offset = readCursor(cursor)
    const { data, total } = await skills.list(principal, { limit, offset, is_active: true })
    return { found: data.map(presentSkillText), next: nextCursor(offset, data.length, total) }
  }

  async function read(slug: string): Promise<SkillText> {
    checkPermission(accessOf, 'skills.get', caller)
    checkKind(reach, 'skills')
    return presentSkillText(await skills.read(principal, slug))
  }

  server.setRequestHandler('prompts/list', async ({ params }) => {
    const { found: skillTexts, next } = await list(params?.cursor, PROMPTS).catch(asProtocolError)
    return { prompts: skillTexts.map(presentPrompt), ...next }
  })
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const skill = await read(params.name).catch(asProtocolError)
    const task = params.arguments?.task
    const text = [...Object.values(listFiles(skill)), ...(task === undefined ? [] : [task])].join('\n\n')
    return { description: skill.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
  })

  server.setRequestHandler(SKILLS_LIST_METHOD, { params: listParams }, async ({ cursor }) => {
    const { found: skillTexts, next } = await list(cursor, ENTRIES).catch(asProtocolError)
    const entries = await Promise.all(skillTexts.map(createSkillEntry))
    return { skills: entries.filter(entry => entry !== undefined), ...next, ...CACHE }
  })
  server.setRequestHandler(SKILLS_GET_METHOD, { params: uriParams }, async ({ uri }) => {
    const [, slug = ''] = /^skill:\/\/([^/]+)\//.exec(uri) ?? []
    const skill = await read(slug).then(createSkillEntry, (error: unknown) => {
      if (!(error instanceof NotFound)) asProtocolError(error)
      return undefined
    })
    if (!skill) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no skill at ${uri}`)
    return { skill, ...CACHE }
  })
}

const CACHE = { ttlMs: 0, cacheScope: 'private' as const }

const presentPrompt = ({ slug, title, description }: SkillText): Prompt => ({
  name: slug,
  title,
  description,
  arguments: [{ name: 'task', description: 'Task to perform with the skill', required: false }],
})
