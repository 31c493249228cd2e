/** The styles of the chat. The custom properties are the theme, which a page can replace. */
const CSS = `
:host { display: block }
.gc, .gc-launcher {
  all: initial;
  color-scheme: light dark;
  --gc-accent: var(--ganglion-accent, light-dark(#4338ca, #a5b4fc));
  --gc-on-accent: var(--ganglion-on-accent, light-dark(#fff, #111827));
  --gc-background: var(--ganglion-background, light-dark(#fff, #111827));
  --gc-surface: var(--ganglion-surface, light-dark(#f3f4f6, #1f2937));
  --gc-text: var(--ganglion-text, light-dark(#111827, #f9fafb));
  --gc-muted: var(--ganglion-muted, light-dark(#4b5563, #d1d5db));
  --gc-error: var(--ganglion-error, light-dark(#b91c1c, #fca5a5));
  --gc-border: var(--ganglion-border, light-dark(#6b7280, #9ca3af));
  --gc-radius: var(--ganglion-radius, 12px);
  box-sizing: border-box;
  font: var(--ganglion-font, 15px/1.5 system-ui, sans-serif);
}
[data-scheme="light"] { color-scheme: light }
[data-scheme="dark"] { color-scheme: dark }
.gc, .gc * { box-sizing: border-box }
.gc {
  display: flex;
  flex-direction: column;
  height: var(--ganglion-height, 512px);
  max-height: 100%;
  min-height: 0;
  overflow: hidden;
  text-align: start;
  color: var(--gc-text);
  background: var(--gc-background);
  border: 1px solid var(--gc-surface);
  border-radius: var(--gc-radius);
}
.gc-head { display: flex; align-items: center; gap: 4px; padding: 8px 12px; background: var(--gc-surface) }
.gc-head h2 { flex: 1; margin: 0; font-size: 1em; font-weight: 600 }
.gc button {
  font: inherit;
  min-height: 32px;
  padding: 4px 12px;
  color: inherit;
  background: none;
  border: 1px solid var(--gc-border);
  border-radius: calc(var(--gc-radius) / 2);
  cursor: pointer;
}
.gc-head button { display: flex; padding: 6px; border-color: transparent }
.gc .gc-primary { color: var(--gc-on-accent); background: var(--gc-accent); border-color: var(--gc-accent) }
.gc .gc-primary[aria-disabled="true"], .gc button:disabled { opacity: .5; cursor: default }
.gc :focus-visible, .gc-launcher:focus-visible, .gc-attach:focus-within { outline: 2px solid var(--gc-accent); outline-offset: 2px }
.gc svg path, .gc-launcher svg path { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
.gc-log { flex: 1; min-height: 0; overflow-y: auto; padding: 12px; overflow-wrap: anywhere }
.gc-log:focus-visible { outline-offset: -2px }
.gc-message { max-width: 90%; width: fit-content; margin: 0 0 12px; padding: 8px 12px; background: var(--gc-surface); border-radius: var(--gc-radius) }
.gc-message[data-role="user"] { margin-inline-start: auto; color: var(--gc-on-accent); background: var(--gc-accent) }
.gc-message[data-status="sending"] { opacity: .8 }
.gc-message[data-status="unsent"] { color: inherit; background: none; border: 1px dashed var(--gc-error) }
.gc-log p, .gc-log ul, .gc-log ol, .gc-log pre, .gc-log blockquote { margin: 0 0 8px }
.gc-log :last-child { margin-bottom: 0 }
.gc-log > * { margin-bottom: 12px }
.gc-log ul, .gc-log ol { padding-inline-start: 1.4em }
.gc-log pre { overflow-x: auto; white-space: pre }
.gc-log code, .gc-log pre { font-family: ui-monospace, monospace; font-size: .9em }
.gc-log blockquote { padding-inline-start: 8px; border-inline-start: 3px solid var(--gc-border) }
.gc-log a { color: inherit; text-decoration: underline }
.gc-text { white-space: pre-wrap }
.gc-note { font-size: .9em; color: var(--gc-muted) }
.gc-error { color: var(--gc-error) }
.gc-task { padding: 12px; border: 1px solid var(--gc-border); border-radius: var(--gc-radius) }
.gc-task h3 { margin: 0 0 8px; font-size: 1em }
.gc-field { display: block; margin: 0 0 12px }
.gc-group { margin: 0 0 12px; padding: 0; border: 0; min-width: 0 }
.gc-group legend { padding: 0 0 4px; font-weight: 600 }
.gc-choice { display: flex; align-items: center; gap: 8px; min-height: 28px }
.gc input:not([type="checkbox"], [type="radio"]), .gc select, .gc textarea {
  display: block;
  width: 100%;
  padding: 6px 10px;
  font: inherit;
  color: inherit;
  background: var(--gc-background);
  border: 1px solid var(--gc-border);
  border-radius: calc(var(--gc-radius) / 2);
}
.gc [aria-invalid="true"] { border-color: var(--gc-error) }
.gc ::placeholder { color: var(--gc-muted); opacity: 1 }
.gc-actions { display: flex; gap: 8px; flex-wrap: wrap }
.gc-composer { display: flex; align-items: end; gap: 8px; padding: 12px; border-top: 1px solid var(--gc-surface) }
.gc-composer textarea { flex: 1; max-height: 8em; field-sizing: content; resize: none }
.gc-attach { display: flex; padding: 8px 0; cursor: pointer }
.gc-files { padding: 12px 12px 0; overflow-wrap: anywhere }
.gc .gc-composer button { display: flex; align-items: center; min-height: 36px }
.gc-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.gc-launcher {
  display: flex;
  padding: 14px;
  color: var(--gc-on-accent);
  background: var(--gc-accent);
  border: 0;
  border-radius: 50%;
  box-shadow: 0 2px 8px #0006;
  cursor: pointer;
}
.gc-floating { position: fixed; z-index: 2147483000; inset-block-end: 16px; inset-inline-end: 16px; display: flex; flex-direction: column; align-items: end; gap: 12px }
.gc-floating[data-open] { inset-inline-start: max(16px, 100vw - var(--ganglion-width, 384px) - 16px) }
.gc-panel { width: 100%; height: min(var(--ganglion-height, 512px), 100vh - 112px) }
.gc-panel .gc { height: 100%; box-shadow: 0 4px 24px #0004 }
@media (forced-colors: active) { .gc-message, .gc .gc-primary { border: 1px solid } }
`

let sheet: CSSStyleSheet | undefined

/**
 * Adds the styles to a document or a shadow root. A constructed style sheet works under a content security policy that
 * forbids inline styles.
 */
export function adoptStyles(root: Node | undefined): void {
  if (!root || !('adoptedStyleSheets' in root)) return
  const { adoptedStyleSheets } = root as Document | ShadowRoot
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(CSS)
  }
  if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet)
}
