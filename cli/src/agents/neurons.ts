import type { Command } from 'commander'
import { addGroup } from '../shared/command.ts'
import { invokeCommand } from './chat.ts'
import { kindCommands } from '../resources/kind.ts'

/** `neurons`. */
export const add = (program: Command): Command =>
  addGroup(program, 'neurons', [...kindCommands('neurons'), invokeCommand])
