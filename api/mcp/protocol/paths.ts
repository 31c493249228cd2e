export const MCP_PATH = '/v1/mcp'

export const isMcpPath = (path: string): boolean => path === MCP_PATH || path.startsWith(`${MCP_PATH}/`)
