import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { WaitingFor } from '../../domain/jobs.ts'

export interface Decision {
  action: 'approve' | 'reject'
  comment?: string
}

/**
 * Shows what a person is asked and gives the decision. With `yes`, or where no person sits at a terminal, it approves
 * after showing it. Undefined when the person leaves (Ctrl-C, Ctrl-D) without deciding.
 */
export async function ask(asked: WaitingFor, yes: boolean): Promise<Decision | undefined> {
  process.stdout.write(`\n${describe(asked)}\n`)
  if (yes || !process.stdin.isTTY) {
    process.stdout.write(`  approving, ${yes ? 'as --yes says' : 'since no terminal is there to ask at'}\n\n`)
    return { action: 'approve' }
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const left = once(terminal, 'close').then(() => undefined)
  try {
    return await Promise.race([askUntilClear(question => terminal.question(question)), left])
  } finally {
    terminal.close()
  }
}

function describe(asked: WaitingFor): string {
  const context = asked.context === undefined ? [] : JSON.stringify(asked.context, null, 2).split('\n')
  const due = asked.due_at ? [`due ${asked.due_at}`] : []
  return [asked.title, asked.description ?? '', ...context, ...due]
    .filter(Boolean)
    .map(line => `  | ${line}`)
    .join('\n')
}

async function askUntilClear(question: (text: string) => Promise<string>): Promise<Decision> {
  for (;;) {
    const answer = (await question('  approve or reject? [a/r] ')).trim().toLowerCase()
    const action = ['a', 'approve', 'y', 'yes'].includes(answer)
      ? 'approve'
      : ['r', 'reject', 'n', 'no'].includes(answer)
        ? 'reject'
        : undefined
    if (!action) continue
    const comment = (await question('  a comment, or Enter for none: ')).trim()
    return comment ? { action, comment } : { action }
  }
}
