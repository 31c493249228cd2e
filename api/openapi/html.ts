/** Text that is safe to put into a page as it is. */
export interface Html {
  text: string
}

/** Builds HTML: whatever is put into the template is escaped, unless it is Html itself. */
export function html(strings: TemplateStringsArray, ...values: (Html | string | number | undefined)[]): Html {
  return raw(strings.reduce((text, part, index) => text + textOf(values[index - 1]) + part))
}

export const raw = (text: string): Html => ({ text })

export const join = (parts: Html[]): Html => raw(parts.map(part => part.text).join(''))

const textOf = (value: Html | string | number | undefined): string =>
  typeof value === 'object' ? value.text : escaped(String(value ?? ''))

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
