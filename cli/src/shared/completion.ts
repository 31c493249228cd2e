import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { addCommand } from './command.ts'
import { usageError } from './exit.ts'

const SHELLS = ['bash', 'zsh', 'fish', 'powershell']

/** Adds `completion`, which prints a shell script, and `complete`, which that script calls. */
export function add(program: Command): void {
  addCommand(program, {
    name: 'completion <shell>',
    example: 'completion bash > ~/.local/share/bash-completion/completions/ganglion',
    run: async (context, [shell = '']) => {
      if (!SHELLS.includes(shell)) throw usageError(`Unknown shell. Use one of ${SHELLS.join(', ')}`)
      await context.print({ shell, script: await renderScript(program, shell) }, ({ script }) => script)
    },
  })
  tab(program)
}

/** Captures the script that the library prints. */
async function renderScript(program: Command, shell: string): Promise<string> {
  const { log } = console
  let script = ''
  console.log = (text: string) => (script += `${text}\n`)
  try {
    await program.parseAsync(['complete', shell], { from: 'user' })
  } finally {
    console.log = log
  }
  return script
}
