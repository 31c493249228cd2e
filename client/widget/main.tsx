import { render } from 'preact'
import { Chat, type ChatProps } from '../src/react/chat.tsx'
import { type ChatLabels, DEFAULT_LABELS } from '../src/react/labels.ts'
import { FloatingChat } from './floating-chat.tsx'

/**
 * The widget: the element `<ganglion-chat>`. A script tag with `data-receptor` and `data-token` adds a floating one to
 * the page.
 */

const NAME = 'ganglion-chat'
const PATH = /\/v1\/public\/widget\.js(?:\?.*)?$/
const script = document.currentScript as HTMLScriptElement | null
/** Address of the service that the script was loaded from. */
const origin = script && PATH.test(script.src) ? script.src.replace(PATH, '') : undefined

class GanglionChat extends HTMLElement {
  static observedAttributes = ['receptor', 'token']
  readonly #root = this.attachShadow({ mode: 'open' })

  connectedCallback(): void {
    const props = readProps(this)
    if (!props) return
    const chat = this.hasAttribute('floating') ? <FloatingChat {...props} /> : <Chat {...props} />
    render(chat, this.#root)
  }

  disconnectedCallback(): void {
    render(null, this.#root)
  }

  attributeChangedCallback(): void {
    if (!this.isConnected) return
    this.disconnectedCallback()
    this.connectedCallback()
  }
}

/** Returns the props of the chat. Returns undefined until the required attributes are set. */
function readProps(element: HTMLElement): ChatProps | undefined {
  const read = (name: string) => element.getAttribute(name) ?? undefined
  const receptor = read('receptor')
  const shareToken = read('token')
  if (!receptor || !shareToken) return undefined
  const labels: Partial<ChatLabels> = {}
  for (const name of Object.keys(DEFAULT_LABELS) as (keyof ChatLabels)[]) labels[name] = read(`label-${toKebab(name)}`)
  return {
    receptor,
    shareToken,
    baseUrl: read('base-url') ?? origin,
    scheme: read('scheme') as ChatProps['scheme'],
    labels: dropUndefined(labels),
  }
}

const toKebab = (name: string) => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

const dropUndefined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>

if (!customElements.get(NAME)) customElements.define(NAME, GanglionChat)

if (script?.dataset['receptor']) {
  const element = document.createElement(NAME)
  element.setAttribute('floating', '')
  for (const [name, value = ''] of Object.entries(script.dataset)) element.setAttribute(toKebab(name), value)
  if (document.body) document.body.append(element)
  else addEventListener('DOMContentLoaded', () => document.body.append(element))
}
