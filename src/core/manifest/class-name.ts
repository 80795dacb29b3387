/**
 * Whether a class may not be called so: `all` and `total` stand for every class in reports, and `prototype` and what every object has
 * (`constructor`, `__proto__`) cannot be a key of `class_schedule_counts`.
 */
export function isReservedClassName(name: string): boolean {
  return name in {} || name === 'prototype' || name === 'all' || name === 'total'
}
