/** What the address of the automations holds: the view, and the chosen trigger. */
export interface AutomationsSearch {
  view?: 'graph'
  trigger?: string
}

export function readAutomationsSearch({ view, trigger }: Record<string, unknown>): AutomationsSearch {
  return {
    ...(view === 'graph' && { view }),
    ...(typeof trigger === 'string' && { trigger }),
  }
}
