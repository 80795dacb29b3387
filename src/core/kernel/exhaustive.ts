/** Makes a switch over a union exhaustive at compile time; reached only if the types lied. */
export function assertNever(value: never, what: string): never {
  throw new Error(`${what} is not handled: ${JSON.stringify(value)}`)
}
