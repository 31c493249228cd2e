/** Follows the reader's colour scheme; needs nothing from elsewhere. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#dfe3e8, #30363d); --soft: light-dark(#f6f8fa, #161b22);
  --ink: light-dark(#1b1f24, #dde3ea); --faint: light-dark(#5b6570, #8b95a1); --link: light-dark(#0b57d0, #7cb0ff); }
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr); color: var(--ink);
  background: light-dark(#fff, #0d1117); font: 15px/1.55 system-ui, sans-serif }
a { color: var(--link); text-decoration: none } a:hover { text-decoration: underline }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.25rem; border-right: 1px solid var(--line); background: var(--soft); font-size: 13px }
nav .home { font-size: 1.15rem; font-weight: 650; color: inherit } nav h2 { margin: 1.2rem 0 .3rem; font-size: 12px; color: var(--faint) }
nav ul { list-style: none; margin: 0; padding: 0 } nav li { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; line-height: 1.9 }
nav li a { color: inherit }
main { max-width: 62rem; padding: 2rem 2.5rem 6rem }
h1 { margin: 0 0 .5rem; font-size: 1.9rem } h2 { margin: 3rem 0 1rem } h3 { margin: 0; font-size: 1.05rem } h4 { margin: 1rem 0 .3rem; font-size: 13px; color: var(--faint) }
article { margin: 0 0 1.25rem; padding: 1.1rem 1.3rem; border: 1px solid var(--line); border-radius: 10px } article:target { border-color: var(--link) }
main li + li { margin-top: .9rem }
.summary { margin: .4rem 0 } p { margin: .4rem 0 } ul { margin: .3rem 0; padding-left: 1.1rem }
code { font: 13px ui-monospace, SFMono-Regular, Menlo, monospace } small { color: var(--faint) } i { font-style: normal; color: var(--faint) }
b[class] { display: inline-block; min-width: 3.6em; font: 600 11px ui-monospace, monospace; text-transform: uppercase }
.get { color: light-dark(#0a6b3d, #5fd39a) } .post { color: light-dark(#0b57d0, #7cb0ff) } .patch, .put { color: light-dark(#8a5300, #e3b341) } .delete { color: light-dark(#b3261e, #ff8a80) }
.s2 { color: light-dark(#0a6b3d, #5fd39a) } .s4, .s5 { color: light-dark(#b3261e, #ff8a80) }
table { width: 100%; border-collapse: collapse } th, td { padding: .35rem .6rem .35rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: 400 }
th { width: 13rem; white-space: nowrap } td table { margin-top: .3rem }
@media (max-width: 60rem) { body { display: block } nav { position: static; height: auto; border: 0 } main { padding: 1.25rem } th { width: auto; white-space: normal } }
`
