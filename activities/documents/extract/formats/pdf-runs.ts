/** A text run from PDF.js. */
export interface TextRun {
  str: string
  width: number
  transform: number[]
  hasEOL: boolean
}

export const isPrinted = ({ str }: TextRun): boolean => str.trim() !== ''

export const baseline = ({ transform }: TextRun): number => transform[5] ?? 0

export const letterHeight = ({ transform }: TextRun): number => Math.hypot(transform[2] ?? 0, transform[3] ?? 0)
