import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import type { ExpressionData } from '@actions/expressions/data/expressiondata'
import type { FunctionDefinition } from '@actions/expressions/funcs/info'

/** What expressions may read, by the names of their contexts. */
export type Contexts = Readonly<Record<string, Json>>
export type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [key: string]: Json }

/** How the job stands where the expression is: what `success()` and its like answer. */
export type JobStatus = 'success' | 'failure' | 'cancelled'

/** A mapping that has no name but its own: what GitHub would take for empty is a fault of the workflow here. */
class StrictDictionary extends data.Dictionary {
  readonly #path: string

  constructor(path: string) {
    super()
    this.#path = path
  }

  override get(key: string): ExpressionData | undefined {
    const found = super.get(key)
    if (found === undefined) throw new Error(`nothing is known of ${this.#path}${this.#path === '' ? '' : '.'}${key}`)
    return found
  }
}

function dataOf(value: Json, path: string): ExpressionData {
  if (value === null || value === undefined) return new data.Null()
  if (typeof value === 'string') return new data.StringData(value)
  if (typeof value === 'number') return new data.NumberData(value)
  if (typeof value === 'boolean') return new data.BooleanData(value)
  if (Array.isArray(value)) return new data.Array(...value.map((item: Json) => dataOf(item, path)))
  const dictionary = new StrictDictionary(path)
  for (const [key, item] of Object.entries(value))
    dictionary.add(key, dataOf(item, path === '' ? key : `${path}.${key}`))
  return dictionary
}

const STATUS_FUNCTION = /\b(success|failure|cancelled|always)\s*\(/i

/** One expression, without its `${{ }}`, by GitHub's own evaluator. Throws for a name that no context has. */
function evaluate(expression: string, contexts: Contexts, status: JobStatus): ExpressionData {
  const answers = {
    always: true,
    success: status === 'success',
    failure: status === 'failure',
    cancelled: status === 'cancelled',
  }
  const functions = Object.entries(answers).map(([name, answer]): FunctionDefinition => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(answer),
  }))
  const parsed = new Parser(new Lexer(expression).lex().tokens, Object.keys(contexts), functions).parse()
  const context = dataOf(contexts, '') as InstanceType<typeof data.Dictionary>
  return new Evaluator(parsed, context, new Map(functions.map((one) => [one.name, one]))).evaluate()
}

/** A text with every expression in it evaluated, as the runner hands it on. */
export function filledIn(text: string, contexts: Contexts, status: JobStatus = 'success'): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    evaluate(expression.trim(), contexts, status).coerceString(),
  )
}

/** What a text that is one expression is; any other text is itself. */
export function valueOf(text: string, contexts: Contexts): unknown {
  const [, expression] = /^\$\{\{(.*)\}\}$/s.exec(text.trim()) ?? []
  if (expression === undefined) return text
  return JSON.parse(JSON.stringify(evaluate(expression.trim(), contexts, 'success'), data.replacer))
}

/** Whether an `if:` lets a job or a step run; without a status function it asks for success as well. */
export function letsRun(condition: string | boolean | undefined, contexts: Contexts, status: JobStatus): boolean {
  if (condition === undefined) return status === 'success'
  const text = String(condition)
    .trim()
    .replace(/^\$\{\{(.*)\}\}$/s, '$1')
  if (!STATUS_FUNCTION.test(text) && status !== 'success') return false
  const answer = evaluate(text, contexts, status)
  return !['', 'false', '0'].includes(answer.kind === data.Kind.Null ? '' : answer.coerceString())
}
