import type { Command } from 'commander'
import { addGroup } from '../shared/command.ts'
import { addInvoke } from './chat.ts'
import { addKind } from '../resources/kind.ts'

/** `neurons`. */
export function addNeurons(program: Command): void {
  const group = addGroup(program, 'neurons')
  addKind(group, 'neurons')
  addInvoke(group)
}
