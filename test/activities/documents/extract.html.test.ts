import { useExtractor } from './fixtures/extraction.ts'

const { read, failure } = useExtractor()
const markdownOf = async (html: string): Promise<string> => (await read('html', html)).text

describe('HTML', () => {
  test('is converted to Markdown: headings, paragraphs, lists, quotes, code', async () => {
    const text = await markdownOf(`<!doctype html><body>
      <h1>Über <em>uns</em></h1>
      <p>One&nbsp;two <b>three</b>
         and <a href="https://example.com/x">a link</a>.<br>Next line</p>
      <ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>more of c</p></li></ul>
      <ol start="3"><li>x<li>y</ol>
      <blockquote><p>said</p></blockquote>
      <pre><code>if (x) {
  y()
}</code></pre><hr>
      <h2>مرحبا 漢字</h2>`)
    expect(text).toBe(`# Über uns

One two three and a link.
Next line

- a
  - b
- c

  more of c

3. x
4. y

> said

\`\`\`
if (x) {
  y()
}
\`\`\`

* * *

## مرحبا 漢字`)
  })

  test('keeps tables, with any cell content', async () => {
    const text = await markdownOf(`<table><caption>Prices</caption>
      <thead><tr><th>Item<th>Price</thead>
      <tr><td><p>A|B</p><ul><li>one<li>two</ul><td>5<br>€
      <tr><td colspan="2">all together</table>`)
    expect(text).toBe('Prices\n\n| Item | Price |\n| --- | --- |\n| A\\|B one two | 5 € |\n| all together |  |')
  })

  test('treats a table with nested tables or a single column as layout', async () => {
    const text = await markdownOf(
      '<table><tr><td>left<td><table><tr><td>1<td>2<tr><td>3<td>4</table><td>right</table><table><tr><td>box</table>',
    )
    expect(text).toBe('left\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |\n\nright\n\nbox')
  })

  test('omits content that is hidden from readers', async () => {
    const text = await markdownOf(`<style>p { color: red }</style><script>alert("x")</script><nav>Home</nav>
      <div role="navigation">Menu</div><p hidden>a</p><p style="color: red; display: none">b</p>
      <p aria-hidden="true">c</p><noscript>d</noscript><template>e</template><!-- f --><select><option>g</select>
      <p>seen <img src="x.png" alt="A cat"> <ruby>漢<rt>kan</rt></ruby></p>`)
    expect(text).toBe('seen A cat 漢')
  })

  test('takes title, author and language from its head', async () => {
    const { title, metadata } = await read(
      'html',
      `<html lang="de"><head><title> Häfen &amp;
        Schiffe </title><meta name="author" content="Zoë"><meta name="description" content="About harbours"></head><p>x`,
    )
    expect(title).toBe('Häfen & Schiffe')
    expect(metadata).toEqual({ author: 'Zoë', description: 'About harbours', language: 'de' })
    expect(await read('html', '<h1>Only a heading</h1>')).toMatchObject({ title: 'Only a heading' })
  })

  test('gets no structure from text that only looks like Markdown or HTML', async () => {
    const text = await markdownOf('<p># 5 &lt;script&gt;</p><p>```</p><p>above<br>---</p><p>snake_case *x* 1. [y]</p>')
    expect(text).toBe('\\# 5 \\<script>\n\n\\```\n\nabove\n\\---\n\nsnake_case *x* 1. [y]')
  })

  test('is read as far as possible if it is malformed', async () => {
    expect(await markdownOf('<p>one</b><div>two<p>three</i></table><li>four<h2>five')).toBe(
      'one\n\ntwo\n\nthree\n\n- four\n\n  ## five',
    )
    expect(await markdownOf('')).toBe('')
  })

  test('may be large and nested 1,000 levels deep', async () => {
    const large = await markdownOf(
      '<p>Some <b>bold</b> words and <a href="x">links</a>, and so on.</p>'.repeat(150_000),
    )
    expect(large).toHaveLength(150_000 * 'Some bold words and links, and so on.\n\n'.length - 2)
    const divs = `${'<div>'.repeat(1_000)}deep${'</div>'.repeat(1_000)}`
    expect(await markdownOf(`${divs}<br>${divs}<p>after`)).toBe('deep\n\ndeep\n\nafter')
    expect(await markdownOf(`${'<table><tr><td>'.repeat(333)}deep`)).toBe('deep')
  })

  test('is rejected with the reason if it is nested more deeply', async () => {
    const reason = {
      code: 'DOCUMENT_TOO_LARGE',
      message: 'The HTML must be at most 1000 levels deep',
      retryable: false,
    }
    expect(await failure('html', '<div>'.repeat(3_000_000))).toMatchObject(reason)
    expect(await failure('html', `<script>${'<b>'.repeat(2_000)}</script>${'<nav>'.repeat(1_001)}`)).toMatchObject(
      reason,
    )
  })
})
