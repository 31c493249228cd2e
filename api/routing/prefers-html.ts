import type { AppContext } from './state.ts'

/** True for a browser that opens an address, false for a client that prefers JSON. */
export const prefersHtml = (ctx: AppContext): boolean => ctx.accepts('json', 'html') === 'html'
