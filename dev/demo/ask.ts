import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Question } from '@ganglion/client'

export type Decision =
  { action: 'approve' | 'reject'; comment?: string } | { action: 'answer_questions'; answers: Record<string, string> }

/**
 * Shows a task and returns the person's decision. With `yes`, or without a terminal, approves the task automatically
 * and answers its questions with yes. Returns undefined if the person leaves (Ctrl-C, Ctrl-D) without deciding.
 */
export async function ask(openQuestion: Question, yes: boolean): Promise<Decision | undefined> {
  process.stdout.write(`\n${describe(openQuestion)}\n`)
  if (yes || !process.stdin.isTTY) {
    const [doing, decision] = agreement(openQuestion)
    process.stdout.write(`  ${doing}, ${yes ? 'because of --yes' : 'because there is no terminal'}\n\n`)
    return decision
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const closing = once(terminal, 'close').then(() => undefined)
  try {
    const put = (question: string) => terminal.question(question)
    return await Promise.race([openQuestion.questions ? putQuestions(openQuestion, put) : askUntilClear(put), closing])
  } finally {
    terminal.close()
  }
}

function agreement({ questions }: Question): [doing: string, decision: Decision] {
  if (!questions) return ['approving', { action: 'approve' }]
  const answers = Object.fromEntries(questions.map(({ id, options }) => [id, options?.[0] ?? 'Yes']))
  return [`answering ${Object.values(answers).join(', ')}`, { action: 'answer_questions', answers }]
}

async function putQuestions({ questions = [] }: Question, question: (text: string) => Promise<string>) {
  const answers: Record<string, string> = {}
  for (const { id, options } of questions)
    answers[id] = (await question(options ? `  ${options.join(' | ')}: ` : '  your answer: ')).trim()
  return { action: 'answer_questions' as const, answers }
}

function describe(question: Question): string {
  const context = question.context === undefined ? [] : JSON.stringify(question.context, null, 2).split('\n')
  const due = question.due_at ? [`due ${question.due_at}`] : []
  return [question.title, question.description ?? '', ...context, ...due]
    .filter(Boolean)
    .map(line => `  | ${line}`)
    .join('\n')
}

async function askUntilClear(question: (text: string) => Promise<string>): Promise<Decision> {
  for (;;) {
    const answer = (await question('  Approve or reject? [a/r] ')).trim().toLowerCase()
    const action = ['a', 'approve', 'y', 'yes'].includes(answer)
      ? 'approve'
      : ['r', 'reject', 'n', 'no'].includes(answer)
        ? 'reject'
        : undefined
    if (!action) continue
    const comment = (await question('  Comment (Enter to skip): ')).trim()
    return comment ? { action, comment } : { action }
  }
}
