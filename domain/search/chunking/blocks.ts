import type { Block } from './block.ts'
import { type Carry, parseBlocks, plainBlocks } from './markdown.ts'
import { trimSpan } from './span.ts'
import { splitIntoWindows } from './windows.ts'

/** Yields the blocks of a text in order, and parses one window at a time. */
export function* parseText(text: string): Generator<Block> {
  let carry: Carry | undefined
  for (const window of splitIntoWindows(text)) {
    if (window.isPlain) yield* plainBlocks(text, window)
    else if (trimSpan(text, window)) {
      const parsed = parseBlocks(text, window, carry)
      carry = parsed.carry
      yield* parsed.blocks
    }
  }
}
