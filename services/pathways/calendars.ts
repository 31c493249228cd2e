import { findCalendars } from '../../data/people/calendars-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import { ValidationError } from '../../domain/shared/errors.ts'
import type { WorkingCalendar } from '../../domain/people/working-time.ts'
import type { Problem } from '../../domain/shared/json/json.ts'
import type { Body, PathwayDefinition, PathwayNode, PinnedPathway } from '../../domain/pathways/definition.ts'

/**
 * Copies the working calendars that nodes use into the definitions, so that later edits do not affect the run. Throws
 * ValidationError for a calendar that does not exist in the workspace.
 * @param at pointer prefix for the definition
 */
export async function pinCalendars<
  Run extends { definition: PathwayDefinition; subflows: Record<string, PinnedPathway> },
>(tx: Tx, run: Run, at: string): Promise<Run> {
  const subflows = Object.values(run.subflows)
  const places = [...placesIn(run.definition, at), ...subflows.flatMap(({ definition }) => placesIn(definition, ''))]
  if (places.length === 0) return run
  const calendars = await findCalendars(tx, [...new Set(places.map(({ name }) => name))])
  const problems = places.flatMap(({ name, pointer }): Problem[] =>
    calendars.has(name) ? [] : [{ pointer, message: `there is no calendar "${name}"` }],
  )
  if (problems.length > 0) throw new ValidationError('The pathway has references that cannot be resolved', problems)
  const pinned = Object.entries(run.subflows).map(([ref, { definition, ...pathway }]) => [
    ref,
    { ...pathway, definition: pinBody(definition, calendars) },
  ])
  return { ...run, definition: pinBody(run.definition, calendars), subflows: Object.fromEntries(pinned) }
}

const placesIn = (body: Body, at: string): { name: string; pointer: string }[] =>
  body.nodes.flatMap((node, i) => {
    const pointer = `${at}/nodes/${i}`
    if ('body' in node) return placesIn(node.body, `${pointer}/body`)
    const name = node.type === 'human' ? node.calendar : undefined
    return typeof name === 'string' ? [{ name, pointer: `${pointer}/calendar` }] : []
  })

const pinBody = <B extends Body>(body: B, calendars: Map<string, WorkingCalendar>): B => ({
  ...body,
  nodes: body.nodes.map(node => pinNode(node, calendars)),
})

function pinNode(node: PathwayNode, calendars: Map<string, WorkingCalendar>): PathwayNode {
  if ('body' in node) return { ...node, body: pinBody(node.body, calendars) }
  if (node.type !== 'human' || typeof node.calendar !== 'string') return node
  return { ...node, calendar: calendars.get(node.calendar) }
}
