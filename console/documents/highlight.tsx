const MARKS = /<\/?mark>/
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'", '#x2F': '/' }

/** A highlight of a search. It is escaped HTML with marks, and is read as text: nothing in it becomes an element. */
export const Highlight = ({ text }: { text: string }) =>
  text.split(MARKS).map((part, index) =>
    // Every second part is between marks. The parts never move.
    // oxlint-disable-next-line react/no-array-index-key
    index % 2 === 1 ? <mark key={index}>{unescape(part)}</mark> : unescape(part),
  )

const unescape = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#x27|#39|#x2F);/g, (whole, name: string) => ENTITIES[name] ?? whole)
