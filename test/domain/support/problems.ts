import type { PathwayNode } from '../../../domain/pathways/definition.ts'
import { validateDefinition } from '../../../domain/pathways/validate.ts'
import { body, value } from './builders.ts'

/** Returns problems as `pointer: message`, so that tests resemble the API response. */
export function problems(raw: unknown): string[] {
  const checked = validateDefinition(raw)
  return checked.ok ? [] : checked.problems.map(({ pointer, message }) => `${pointer}: ${message}`)
}

export const listProblems = (nodes: unknown[], lines: string[] = [], more: object = {}): string[] =>
  problems({ schema: 'pathway/1', ...body(nodes as PathwayNode[], lines), ...more })

/** Returns the problems of one node whose ports all lead to a last node. */
export const ofNode = (more: object, ...ways: string[]): string[] =>
  listProblems(
    [{ id: 'n', ...more }, value('z', 1)],
    ways.map(way => `n${way} > z`),
  )
