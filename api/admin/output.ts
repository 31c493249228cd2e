/** Output options that every command accepts. */
export interface Output {
  json?: boolean
}

/** Prints one JSON line if requested, otherwise the text. */
export const say = (json: boolean | undefined, value: object, text: string): void =>
  console.log(json ? JSON.stringify(value) : text)
