import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import { parseDecimal, parseInteger } from '../core/record/decimal.ts'
import { quoted } from '../core/record/refusal.ts'
import type { Cache } from '../core/kernel/point.ts'
import type { CommandResult, Inputs } from './inputs.ts'

/** What a command is defined with: its surroundings, and where its result goes. */
export interface Desk {
  inputs: Inputs
  /** A line on standard error. */
  note(text: string): void
  finish(result: CommandResult): void
}

/** Adds one command to the program. */
export type AddCommand = (program: Command, desk: Desk) => void

/** The same for every command's help. */
export function example(...lines: string[]): string {
  return `\nExample:\n${lines.map((line) => `  ${line}`).join('\n')}\n`
}

/** A number option in the notation that every language reads alike. */
export function positiveNumber(text: string): number {
  const value = parseDecimal(text)
  if (Number.isFinite(value) && value > 0) return value
  throw new InvalidArgumentError(`${quoted(text)} is no number above 0.`)
}

/** Rates are whole milli-requests a second, so that every due time is exact: none is rounded to one. */
export function exactRate(text: string): number {
  const rate = positiveNumber(text)
  const milliRps = rate * 1000
  if (milliRps > 0.5 && Math.abs(milliRps - Math.round(milliRps)) < 1e-6) return rate
  throw new InvalidArgumentError(`${quoted(text)} is no rate: give requests a second with at most three decimals.`)
}

export function wholeNumber(text: string): number {
  const value = parseInteger(text)
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new InvalidArgumentError(`${quoted(text)} is no whole number from 1 on.`)
}

/** Zero allowed: a replica may need no GPU. */
export function wholeNumberOrZero(text: string): number {
  return text === '0' ? 0 : wholeNumber(text)
}

/** `cold,warm` as a list without doubles, cold first. */
export function cacheStates(text: string): Cache[] {
  const asked = new Set(text.split(',').map((part) => part.trim()))
  const known = (['cold', 'warm'] as const).filter((cache) => asked.delete(cache))
  if (asked.size === 0 && known.length > 0) return known
  throw new InvalidArgumentError(`${quoted(text)} is not cold, warm or cold,warm.`)
}
