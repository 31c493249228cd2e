import type { AppContext } from './state.ts'

/** True for a browser that opens an address, false for clients that take JSON. */
export const prefersHtml = (ctx: AppContext): boolean => ctx.accepts('json', 'html') === 'html'
