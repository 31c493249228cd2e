import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { OPERATOR } from '../../../data/audit/audit-store.ts'
import type { Role } from '../../../domain/access/permissions.ts'
import { createMembers } from '../../../services/access/members.ts'
import { createSessions } from '../../../services/access/credentials/sessions.ts'
import type { ConnectedStack, TestWorkspace } from '../stack/stack.ts'
import { type TestContext, useStack } from '../stack/use-stack.ts'

/** A person with a separate browser. */
export interface Visitor {
  page: Page
  context: BrowserContext
  /** Faults of the page: policy violations, errors, and requests to other origins. */
  faults: string[]
  /** Fails on faults, axe findings, or a page wider than the screen. */
  expectClean(): Promise<void>
}

interface VisitorOptions {
  actor?: string
  role?: Role
  groups?: string[]
  scheme?: 'light' | 'dark'
  width?: number
  /** Device pixels per CSS pixel. */
  scale?: number
  /** Uses the person's colors instead of the page's colors. */
  forcedColors?: 'active'
  /** Another site that the page may load from. */
  site?: string
  /** A workspace other than that of the test file. */
  workspace?: TestWorkspace
}

interface Visits {
  /** Signs a person in with a link and opens the page. */
  visit(path: string, options?: VisitorOptions): Promise<Visitor>
  /** Opens the page without a session. */
  visitAsStranger(path: string, options?: VisitorOptions): Promise<Visitor>
  /** Makes a person a member. Returns the URL of a link that signs the person in. */
  createLink(options?: VisitorOptions): Promise<string>
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const HEIGHT = 900

export type ConsoleContext = TestContext<ConnectedStack> & Visits

/**
 * The shared stack with one browser for the test file. Each visit has a separate context, which is closed after its
 * test.
 */
export const useConsole = (): ConsoleContext => useConsoleOf(useStack())

/** Uses another stack, for example one with scripted models. */
export function useConsoleOf<T extends Pick<TestContext<ConnectedStack>, 'stack' | 'workspace'>>(
  stacked: T,
): T & Visits {
  const contexts: BrowserContext[] = []
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: process.env['CHROMIUM'], args: ['--no-sandbox'] })
  })
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()))
  })
  afterAll(async () => {
    await browser?.close()
  })

  async function open(
    address: string,
    { scheme = 'light', width = 1280, scale = 1, forcedColors, site }: VisitorOptions,
  ): Promise<Visitor> {
    const { baseUrl } = stacked.stack
    const context = await browser.newContext({
      viewport: { width, height: HEIGHT },
      baseURL: baseUrl,
      deviceScaleFactor: scale,
      colorScheme: scheme,
      forcedColors,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
    })
    contexts.push(context)
    const page = await context.newPage()
    const faults = await watch(page, site === undefined ? [baseUrl] : [baseUrl, site])
    await page.goto(address)
    return { page, context, faults, expectClean: () => expectClean(page, faults) }
  }

  const createLink = (options: VisitorOptions = {}) => createSignInLink(stacked.stack, stacked.workspace, options)
  return Object.assign(stacked, {
    createLink,
    visitAsStranger: (path: string, options: VisitorOptions = {}) => open(path, options),
    visit: async (path: string, options: VisitorOptions = {}) => {
      const visitor = await open(await createLink(options), options)
      await visitor.page.locator('nav').waitFor({ state: 'attached' })
      if (path !== '/console/') await visitor.page.goto(path)
      return visitor
    },
  })
}

/** Makes a person a member. Returns the URL of a link that signs the person in. */
export async function createSignInLink(
  { baseUrl, database: { db }, env }: ConnectedStack,
  ofFile: TestWorkspace,
  { actor = 'user:ann', role = 'owner', groups, workspace = ofFile }: VisitorOptions = {},
): Promise<string> {
  const operator = { workspace_id: workspace.id, ...OPERATOR }
  await createMembers({ db }).save(operator, { actor, role, groups })
  const sessions = createSessions({ db, secret: env['API_KEY_SECRET'] ?? '', hours: 1 })
  const { token } = await sessions.createLink(operator, actor)
  return `${baseUrl}/console/sign-in#${token}`
}

/** Replaces the content of a code editor, as a person does with the keyboard. */
export async function writeAll(editor: Locator, text: string): Promise<void> {
  await editor.press('Control+a')
  await editor.page().keyboard.insertText(text)
}

/** Hides or shows a page, as a browser does when the tab changes. */
export const setHidden = (page: Page, isHidden: boolean): Promise<unknown> =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)

const NOTE_VIOLATIONS = `document.addEventListener('securitypolicyviolation', event => {
  noteViolation([event.violatedDirective, event.blockedURI, event.sample].join(' '))
})`

/** Collects the faults of a page, starting with its first document. */
async function watch(page: Page, allowed: string[]): Promise<string[]> {
  const faults: string[] = []
  await page.exposeFunction('noteViolation', (text: string) => faults.push(`policy: ${text}`))
  await page.addInitScript(NOTE_VIOLATIONS)
  page.on('console', message => {
    if (message.type() === 'error' && !isExpected(message.text())) faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => faults.push(`error: ${error.message}`))
  page.on('request', request => {
    if (!allowed.some(url => request.url().startsWith(url))) faults.push(`request: ${request.url()}`)
  })
  return faults
}

/** Browsers log each failed response. Some are intended, for example a rejected answer. */
const isExpected = (text: string): boolean => text.startsWith('Failed to load resource')

async function expectClean(page: Page, faults: string[]): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze()
  const findings = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  )
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  expect({ faults, findings, isWide }).toEqual({ faults: [], findings: [], isWide: false })
}
