import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'

type Json = { [key: string]: unknown }

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  schema: Json
}

interface Operation {
  parameters?: Json[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: Record<string, { content?: Record<string, { schema: Json }> }>
}

export interface GithubRequest {
  method: string
  path: string
  query: URLSearchParams
  body: unknown
}

/** GitHub's own description of its API: what a request must look like, and what an answer. */
export interface GithubDescription {
  /** What is wrong with a request; empty where nothing is. */
  requestFaults(request: GithubRequest): string[]
  /** What is wrong with an answer that a fake gives to it. */
  answerFaults(request: GithubRequest, status: number, body: unknown): string[]
  /** An answer that it gives as an example. */
  example(name: string): unknown
}

let loaded: GithubDescription | undefined

/** 13 MB: read once. */
export function githubDescription(): GithubDescription {
  loaded ??= describe()
  return loaded
}

function describe(): GithubDescription {
  const folder = createRequire(import.meta.url)
    .resolve('@octokit/openapi')
    .replace(/index\.js$/, '')
  const document = JSON.parse(readFileSync(`${folder}generated/api.github.com.json`, 'utf8')) as Json
  const routes = Object.entries(document['paths'] as Record<string, Record<string, Operation>>).map(
    ([template, operations]) => ({ template, operations, pattern: patternOf(template) }),
  )
  const find = ({ method, path }: GithubRequest) => {
    const fits = routes.filter(({ pattern }) => pattern.test(path))
    // `issues/comments` before `issues/{issue_number}`: the most literal template wins.
    const [route] = fits.toSorted((a, b) => placeholders(a.template) - placeholders(b.template))
    const operation = route?.operations[method.toLowerCase()]
    return route && operation ? { ...route, operation } : null
  }
  const check = (schema: Json, value: unknown, what: string) => {
    const parsed = schemaOf(inlined(schema, document)).safeParse(value)
    return parsed.success ? [] : parsed.error.issues.map((issue) => `${what} ${issue.path.join('.')}: ${issue.message}`)
  }
  const examples = (document['components'] as Record<string, Record<string, { value: unknown }>>)['examples'] ?? {}
  return {
    example: (name) => structuredClone(examples[name]?.value),
    requestFaults(request) {
      const route = find(request)
      if (!route) return [`${request.method} ${request.path} is no route of the API`]
      const parameters = (route.operation.parameters ?? []).map(
        (parameter) => inlined(parameter, document) as unknown as Parameter,
      )
      const values = route.pattern.exec(request.path)?.groups ?? {}
      const query = [...request.query].flatMap(([name, value]) => {
        const parameter = parameters.find((item) => item.in === 'query' && item.name === name)
        return parameter
          ? check(parameter.schema, typed(parameter, value), `query ${name}`)
          : [`query ${name} is unknown`]
      })
      const path = parameters
        .filter((parameter) => parameter.in === 'path')
        .flatMap((parameter) =>
          check(parameter.schema, typed(parameter, decodeURIComponent(values[parameter.name] ?? '')), parameter.name),
        )
      const bodySchema = route.operation.requestBody?.content['application/json']?.schema
      const body = bodySchema
        ? check(bodySchema, request.body, 'body')
        : request.body === undefined
          ? []
          : ['body is not asked for']
      return [...path, ...query, ...body]
    },
    answerFaults(request, status, body) {
      const response = find(request)?.operation.responses[String(status)]
      if (!response) return [`${status} is no answer of ${request.method} ${request.path}`]
      const described = inlined(response as Json, document) as Operation['responses'][string]
      const schema = described.content?.['application/json']?.schema
      return schema ? check(schema, body, 'answer') : []
    },
  }
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>[^/]+)`)}$`)
}

function placeholders(template: string): number {
  return template.split('{').length
}

function typed(parameter: Parameter, value: string): unknown {
  return parameter.schema['type'] === 'integer' ? (/^\d+$/.test(value) ? Number(value) : value) : value
}

/** Each part of the document is worked out once: an issue's has thousands of lines. */
const schemas = new WeakMap<Json, z.ZodType>()
const wholes = new WeakMap<Json, Json>()

function schemaOf(schema: Json): z.ZodType {
  const known = schemas.get(schema)
  if (known) return known
  const made = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0], { defaultTarget: 'openapi-3.0' })
  schemas.set(schema, made)
  return made
}

function inlined(value: Json, document: Json): Json {
  const known = wholes.get(value)
  if (known) return known
  const whole = withoutReferences(value, document)
  wholes.set(value, whole)
  // What is whole already stays the same object.
  wholes.set(whole, whole)
  return whole
}

/** A value with every reference replaced by what it names. The document has no cycles where it is used here. */
function withoutReferences(value: Json, document: Json): Json {
  const visit = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(visit)
    if (typeof item !== 'object' || item === null) return item
    const { $ref } = item as { $ref?: string }
    if (typeof $ref === 'string') {
      const target = $ref
        .slice(2)
        .split('/')
        .reduce((at: unknown, key) => (at as Json)[key], document)
      return visit(target)
    }
    return Object.fromEntries(
      Object.entries(item).flatMap(([key, child]) =>
        key === 'examples' || key === 'example' ? [] : [[key, visit(child)]],
      ),
    )
  }
  return visit(value) as Json
}
