import packageJson from '../../package.json' with { type: 'json' }

/** The tool's version, fixed when it is built. */
export const TOOL_VERSION: string = packageJson.version
