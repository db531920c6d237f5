/*
 * What log lines leave out: addresses hold plates and names that users search, and errors of the database the values of
 * rows.
 */

type LoggedRequest = { url: string; routeOptions: { url?: string | undefined; schema?: { querystring?: unknown } } }

/** The pattern of a request and the names of the parameters in its query, without their values. */
export function loggedAddress({ url, routeOptions }: LoggedRequest): string {
  const { url: pattern = '(no route)', schema } = routeOptions
  if (!url.includes('?')) return pattern
  const { shape = {} } = (schema?.querystring ?? {}) as { shape?: object }
  const names = new Set(new URLSearchParams(url.slice(url.indexOf('?'))).keys())
  // Whatever else is in the address may be a value without a name.
  return `${pattern}?${[...names].map((name) => (name in shape ? `${name}=…` : '…')).join('&')}`
}

/** Fields of an error of PostgreSQL that hold values of rows and parameters. */
const FIELDS_WITH_VALUES = ['detail', 'where', 'hint', 'internalQuery', 'parameters'] as const

/** Values that a message of PostgreSQL quotes: invalid input syntax for type integer: "GR7K201". */
const withoutQuoted = (text: string): string => text.replaceAll(/: ".*"/gs, ': "…"')

/**
 * Removes the values of rows and parameters from an error of the database, so that no log, job or message that names the
 * error holds a plate. Code, constraint, table and column stay.
 */
export function removeValues<E extends Error & { code?: string }>(error: E): E {
  const fields = error as Record<string, unknown>
  for (const field of FIELDS_WITH_VALUES) delete fields[field]
  // Class 22: data exceptions.
  if (error.code?.startsWith('22')) {
    error.message = withoutQuoted(error.message)
    if (error.stack) error.stack = withoutQuoted(error.stack)
  }
  return error
}
