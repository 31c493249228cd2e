import type { Block } from './block.ts'
import { type Carry, parseBlocks, plainBlocks } from './markdown.ts'
import { trimmed } from './span.ts'
import { windowsOf } from './windows.ts'

/** The blocks of a whole text in order, found as they are asked for. */
export function* blocksOf(text: string): Generator<Block> {
  let carry: Carry | undefined
  for (const window of windowsOf(text)) {
    if (window.plain) yield* plainBlocks(text, window)
    else if (trimmed(text, window)) {
      const parsed = parseBlocks(text, window, carry)
      carry = parsed.carry
      yield* parsed.blocks
    }
  }
}
