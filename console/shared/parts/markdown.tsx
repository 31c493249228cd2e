import './markdown.css'
import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'

const PLUGINS = [remarkGfm]

/**
 * Checkboxes in task lists would have no label. Images from other origins would leak data, and the content security
 * policy blocks them. Text replaces both.
 */
const COMPONENTS: Components = {
  input: ({ checked }) => <span>{checked ? '☑' : '☐'}</span>,
  img: ({ alt, src }) => <span>[{alt || String(src)}]</span>,
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  ),
}

/** Renders Markdown from models and people. HTML in it is shown as text. */
export default memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  )
})
