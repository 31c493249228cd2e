/** What each command can be asked for. */
export interface Output {
  json?: boolean
}

/** Prints one JSON line where it was asked for, else the text. */
export const say = (json: boolean | undefined, value: object, text: string): void =>
  console.log(json ? JSON.stringify(value) : text)
