import { findPinned } from '../../data/pinned-resources-store.ts'
import type { Tx } from '../../data/database.ts'
import type { Problem } from '../../domain/json.ts'
import type { ToolSpec } from '../../domain/tools/tool-spec.ts'
import { parseReference } from '../pathways/references.ts'

export async function resolveTools(
  tx: Tx,
  who: { brain_ids: string[] | null },
  refs: { reflex: string; names?: string[] }[],
): Promise<{ tools: ToolSpec[]; problems: Problem[] }> {
  const found = await findPinned(
    tx,
    'reflexes',
    refs.map(({ reflex }) => parseReference(reflex)),
    who.brain_ids,
  )
  const problems: Problem[] = []
  const tools: ToolSpec[] = []
  for (const [i, { reflex, names }] of refs.entries()) {
    const one = found.find(({ ref }) => ref === reflex)
    if (!one) {
      problems.push({ pointer: `/${i}`, message: `there is no reflex "${reflex}"` })
      continue
    }
    const { source, tools: own } = one.document as {
      source: ToolSpec['source']
      tools: { name: string; description: string; parameters: ToolSpec['parameters'] }[]
    }
    for (const tool of own)
      if (!names || names.includes(tool.name))
        tools.push({ ...tool, effect: 'read', source, reflex: { id: one.id, slug: one.slug, version: one.version } })
  }
  return { tools, problems }
}
