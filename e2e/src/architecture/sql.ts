/** The index of the bracket that closes the one at `open`. */
export function closeOf(text: string, open: number): number {
  const [opening, closing] = text[open] === '(' ? ['(', ')'] : ['{', '}']
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === opening) depth++
    if (text[at] === closing && --depth === 0) return at
  }
  return text.length
}

/** Replaces each `${…}` by 0: it is code, or a fragment that is checked separately. */
function withoutValues(sql: string): string {
  const at = sql.indexOf('${')
  return at < 0 ? sql : `${sql.slice(0, at)}0${withoutValues(sql.slice(closeOf(sql, at + 1) + 1))}`
}

/** Comments of TypeScript and SQL, which may contain names of tables. */
export const withoutComments = (text: string) => text.replace(/\/\*.*?\*\/|^\s*(\/\/|--)[^\n]*$/gms, '')

/** Qualifiers of columns: tables, aliases of tables and subqueries, functions and CTEs. */
function namesIn(sql: string): Set<string> {
  const names = new Set(['excluded'])
  const add = (pattern: RegExp) => {
    for (const match of sql.matchAll(pattern)) for (const name of match.slice(1)) if (name) names.add(name)
  }
  add(/(?:\bfrom|\bjoin|\bupdate|\binto|,)\s+(?:only\s+)?([a-z_]+)(?:\s+(?:as\s+)?([a-z_]\w*))?/g)
  add(/\)\s*(?:as\s+)?([a-z_]\w*)/g)
  return names
}

/**
 * The subqueries of a file with SQL that refer to a table outside of them, and its uses of LATERAL: Citus refuses both
 * over distributed tables.
 */
export function correlatedIn(file: string): string[] {
  const text = withoutComments(file)
  const found = [...text.matchAll(/\blateral\b/gi)].map((match) => text.slice(match.index, match.index + 60))
  for (const match of text.matchAll(/\(\s*select\b/g)) {
    const subquery = text.slice(match.index, closeOf(text, match.index) + 1)
    const own = withoutValues(subquery)
    const names = namesIn(own)
    const outer = [...own.matchAll(/(?<![\w.$'])([a-z_]\w*)\.[a-z_]\w*(?!\()/g)].find(
      ([, name = '']) => !names.has(name),
    )
    if (outer) found.push(`${outer[0]} in ${own.replace(/\s+/g, ' ').slice(0, 120)}`)
  }
  return found
}

/** The exported functions of a query module that neither contain SQL nor pass a database on. */
export const withoutSql = (file: string): string[] =>
  withoutComments(file)
    .split(/^\s*(?=export )/m)
    .flatMap((declaration) => {
      const name = /^export (?:async )?(?:function\*? |const )(\w+)/.exec(declaration)?.[1]
      const isFunction = /^export (?:async )?function|^export const \w+[^=]*= (?:async )?(?:<[^>]*>)?\(/.test(
        declaration,
      )
      return name && isFunction && !/sql`|\bdb\b/.test(declaration) ? [name] : []
    })
