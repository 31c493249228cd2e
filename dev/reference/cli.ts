import type { Command, Option } from 'commander'
import { buildProgram } from '../../cli/src/program.ts'
import { code, renderTable } from './regions.ts'

/** Renders every command with its arguments and options. Options that all commands share are listed once. */
export async function renderCommands(): Promise<string> {
  const program = await buildProgram([], true)
  const leaves = program.commands.flatMap(listLeaves)
  const common = findCommonOptions(leaves)
  const isCommon = ({ flags }: Option) => common.some(option => option.flags === flags)
  return [
    `## Options of all commands\n\n${renderOptions(common)}`,
    ...program.commands
      .toSorted((a, b) => a.name().localeCompare(b.name()))
      .map(
        command =>
          `## ganglion ${command.name()}\n\n${endSentence(command.description())}\n\n${listLeaves(command)
            .map(leaf => renderCommand(leaf, leaf !== command, isCommon))
            .join('\n\n')}`,
      ),
  ].join('\n\n')
}

const listLeaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(listLeaves)

const listOptions = (command: Command) => command.options.filter(({ hidden }) => !hidden)

function findCommonOptions(leaves: Command[]): Option[] {
  const [first, ...rest] = leaves.filter(leaf => leaf.options.length > 0)
  const has = (leaf: Command, { flags }: Option) => leaf.options.some(option => option.flags === flags)
  return first
    ? listOptions(first).filter(option => rest.filter(leaf => has(leaf, option)).length > rest.length * 0.9)
    : []
}

function renderCommand(command: Command, isNested: boolean, isCommon: (option: Option) => boolean): string {
  const path = listPath(command).join(' ')
  const options = listOptions(command).filter(option => !isCommon(option))
  const usage = ['```text', `${path} ${command.usage()}`.trim(), '```'].join('\n')
  return [
    ...(isNested ? [`### ${path}`, endSentence(command.description())] : []),
    usage,
    ...(options.length > 0 ? [renderOptions(options)] : []),
  ].join('\n\n')
}

const listPath = (command: Command): string[] =>
  command.parent ? [...listPath(command.parent), command.name()] : [command.name()]

const renderOptions = (options: Option[]) =>
  renderTable(
    ['Option', 'Meaning'],
    options.map(({ flags, description }) => [code(flags), description]),
  )

const endSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`).replaceAll('<', '&lt;')
