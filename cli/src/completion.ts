import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { addCommand } from './command.ts'
import { usageError } from './exit.ts'

const SHELLS = ['bash', 'zsh', 'fish', 'powershell']

/** Adds `completion`, which prints the script of a shell, and `complete`, which that script calls. */
export function addCompletion(program: Command): void {
  addCommand(program, {
    name: 'completion <shell>',
    example: 'completion bash > ~/.local/share/bash-completion/completions/ganglion',
    run: async (_, [shell = '']) => {
      if (!SHELLS.includes(shell)) throw usageError(`The shell must be one of ${SHELLS.join(', ')}`)
      await program.parseAsync(['complete', shell], { from: 'user' })
    },
  })
  tab(program)
}
