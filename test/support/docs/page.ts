import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { CHECKOUT } from '../../../dev/machine/folders.ts'

/** A file that a page writes, or a command that the page shows with its output. */
export type Step = FileStep | CommandStep

export interface FileStep {
  type: 'file'
  name: string
  text: string
}

export interface CommandStep {
  type: 'command'
  /** The line of the command on the page. */
  line: number
  command: string
  /** The output that the page shows. Empty if the page shows none. */
  output: string[]
}

const FILE_NAME = /\bfile=(\S+)/

/** Reads the steps on a page: its blocks with a file name, and the commands in its console blocks. */
export function readSteps(page: string): Step[] {
  const { children } = fromMarkdown(readFileSync(join(CHECKOUT, page), 'utf8'))
  return children.flatMap(node => listBlocks(node)).flatMap(readBlock)
}

export const hasCommands = (page: string): boolean => readSteps(page).some(({ type }) => type === 'command')

type MarkdownNode = ReturnType<typeof fromMarkdown>['children'][number]
type Block = Extract<MarkdownNode, { type: 'code' }>

/** Blocks can be inside lists and quotes. */
function listBlocks(node: MarkdownNode): Block[] {
  if (node.type === 'code') return [node]
  return 'children' in node ? node.children.flatMap(child => listBlocks(child)) : []
}

function readBlock({ lang, meta, value, position }: Block): Step[] {
  const [, name] = FILE_NAME.exec(meta ?? '') ?? []
  if (name !== undefined) return [{ type: 'file', name, text: `${value}\n` }]
  return lang === 'console' ? readCommands(value, (position?.start.line ?? 0) + 1) : []
}

function readCommands(block: string, firstLine: number): CommandStep[] {
  const steps: CommandStep[] = []
  for (const [i, line] of block.split('\n').entries()) {
    const step = steps.at(-1)
    if (line.startsWith('$ ')) steps.push({ type: 'command', line: firstLine + i, command: line.slice(2), output: [] })
    else if (!step) throw new Error(`Line ${firstLine + i}: a console block begins with a command ("$ ")`)
    else if (/^>( |$)/.test(line) && step.output.length === 0) step.command += `\n${line.slice(2)}`
    else step.output.push(line)
  }
  for (const { output } of steps) while (output.at(-1)?.trim() === '') output.pop()
  return steps
}
