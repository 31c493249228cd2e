import { autocompletion, closeBrackets, type CompletionSource, closeBracketsKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers, type ViewUpdate } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useEffectEvent, useRef } from 'react'
import { findPointer, findRange } from './json-places.ts'

interface CodeEditorProps {
  label: string
  /** Initial text. To change the text later, call `replaceText`. */
  text: string
  complete: CompletionSource
  onReady: (view: EditorView) => void
  onChange: (text: string) => void
  /** Called with the JSON pointer at the cursor. */
  onMove: (pointer: string) => void
  onSave: () => void
}

const wavy = (color: string) => ({ backgroundImage: 'none', textDecoration: `underline wavy ${color} 1.5px` })

/** The console's colors. The linter's own marks would be data: URLs, which the content security policy forbids. */
const THEME = EditorView.theme({
  '&': { height: '100%', fontSize: '0.82rem', color: 'var(--mantine-color-text)' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-1px' },
  '&, .cm-scroller': { borderStartStartRadius: '11px', borderStartEndRadius: '11px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--canvas)', color: 'var(--mantine-color-dimmed)', borderColor: 'var(--line)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--busy-soft)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--idle-soft)', outline: '1px solid var(--line)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', borderColor: 'var(--line)', color: 'inherit' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--busy)', color: 'var(--surface)' },
  '.cm-lintRange-error': wavy('var(--bad)'),
  '.cm-lintRange-warning': wavy('var(--wait)'),
  '.cm-lintPoint:after': { borderBottomColor: 'var(--bad)' },
})

const COLORS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--busy)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--wait)' },
])

/**
 * Replaces the selection. The browser would do this in the document itself, adding style attributes to merged
 * content, which the content security policy forbids.
 */
function writeOverSelection({ inputType, data, isComposing }: InputEvent, view: EditorView): boolean {
  const { from, to, empty } = view.state.selection.main
  if (inputType !== 'insertText' || data === null || isComposing || empty) return false
  const write = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' })
  if (!view.state.facet(EditorView.inputHandler).some(handle => handle(view, from, to, data, write)))
    view.dispatch(write())
  return true
}

/** A JSON editor in a shadow root, where it adds no style elements. The Tab key moves the focus out of the editor. */
export default function CodeEditor({ label, text, complete, onReady, ...on }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const onUpdate = useEffectEvent(({ state, docChanged, selectionSet }: ViewUpdate) => {
    if (docChanged) on.onChange(state.doc.toString())
    if (docChanged || selectionSet) on.onMove(findPointer(state, state.selection.main.head))
  })
  const onSave = useEffectEvent(() => {
    on.onSave()
    return true
  })
  const open = useEffectEvent((parent: ShadowRoot) => {
    const extensions = [
      json(),
      lineNumbers(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      autocompletion({ override: [complete], icons: false }),
      syntaxHighlighting(COLORS),
      THEME,
      EditorView.lineWrapping,
      EditorView.domEventHandlers({ beforeinput: writeOverSelection }),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorView.updateListener.of(update => onUpdate(update)),
      keymap.of([
        { key: 'Mod-s', run: () => onSave() },
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        ...lintKeymap,
      ]),
    ]
    const view = new EditorView({ parent, root: parent, state: EditorState.create({ doc: text, extensions }) })
    onReady(view)
    return view
  })
  useEffect(() => {
    const element = host.current
    if (!element) return undefined
    const view = open(element.shadowRoot ?? element.attachShadow({ mode: 'open' }))
    return () => view.destroy()
  }, [])
  return <div ref={host} className="code-editor" />
}

export const replaceText = (view: EditorView, text: string): void =>
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })

export interface Finding extends Pick<Diagnostic, 'message' | 'severity'> {
  /** A JSON pointer. Absent if the text is not valid JSON. */
  pointer?: string
}

function findProblemRange(view: EditorView, pointer: string | undefined): { from: number; to: number } {
  if (pointer !== undefined) return findRange(view.state, pointer)
  const { from = 0, to = 0 } = jsonParseLinter()(view)[0] ?? {}
  return { from, to }
}

/** Moves the cursor into the value to which a finding's pointer refers. */
export function goTo(view: EditorView, pointer: string | undefined): void {
  const { from, to } = findProblemRange(view, pointer)
  view.dispatch({
    selection: { anchor: Math.min(from + 1, to) },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  })
  view.focus()
}

/** Underlines the findings. */
export const underline = (view: EditorView, findings: Finding[]): void =>
  view.dispatch(
    setDiagnostics(
      view.state,
      findings.map(({ pointer, message, severity }) => ({ ...findProblemRange(view, pointer), message, severity })),
    ),
  )
