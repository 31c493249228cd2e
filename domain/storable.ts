/** Whether Postgres can store the text. */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

export const UNSTORABLE = 'must not contain U+0000 or an unpaired surrogate'
