import './markdown.css'
import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'

const PLUGINS = [remarkGfm]

/** Boxes of task lists have no label; pictures of other origins would carry data out, and the policy forbids them. */
const COMPONENTS: Components = {
  input: ({ checked }) => <span>{checked ? '☑' : '☐'}</span>,
  img: ({ alt, src }) => <span>[{alt || String(src)}]</span>,
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  ),
}

/** Markdown of models and people. HTML in it is shown as text. */
export default memo(function Markdown({ text }: { text: string }) {
  return (
    <div className="markdown">
      <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  )
})
