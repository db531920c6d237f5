/** Tables that grow with traffic or without limit: a scan or a rewrite takes minutes. As in docs/migrations.md. */
export const BIG_TABLES = [
  'access_trail',
  'access_visit_end',
  'vehicle',
  'vehicle_detail',
  'vehicle_image',
  'vehicle_day',
  'traffic_hour',
  'traffic_day',
  'plate',
  'tag',
  'wanted_hit',
  'quarantine',
  'activity',
  'live_visit',
  'audit',
  'log_seal',
  'passage_seal',
  'outbox',
]

/** `text`: in lower case, on one line, without comments and the content of strings. */
type SqlStatement = { text: string; comments: string[] }

/** A comment, a string, a dollar-quoted text, the end of a statement, or one character. */
const TOKEN = /--([^\n]*)|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\2\$|[\s\S]/g

/** The statements of a migration, each with the comments before and in it. */
function statementsOf(migration: string): SqlStatement[] {
  const statements: SqlStatement[] = []
  let current: SqlStatement | undefined
  for (const [token, comment] of migration.matchAll(TOKEN)) {
    if (current?.text.trim() === 'do' && token.startsWith('$')) {
      statements.splice(-1, 1, ...executedBy(token))
      current = undefined
      continue
    }
    if (!current) {
      current = { text: '', comments: [] }
      statements.push(current)
    }
    if (comment !== undefined) current.comments.push(comment.trim())
    else if (token === ';') current = undefined
    else current.text += token.length > 1 ? "''" : token.toLowerCase()
  }
  for (const statement of statements) statement.text = statement.text.replace(/\s+/g, ' ').trim()
  return statements.filter(({ text }) => text !== '')
}

const EXECUTED = /execute format\(\s*'((?:[^']|'')*)'/g

/** The statements that a block of code executes by `execute format('…')`; anything else that it does is in one more. */
function executedBy(code: string): SqlStatement[] {
  const executed = [...code.matchAll(EXECUTED)].flatMap(([, text = '']) =>
    statementsOf(text.replaceAll("''", "'").replaceAll('%L', "''").replaceAll('%I', 'name')),
  )
  const rest = code.replaceAll(EXECUTED, '').replace(/'(?:[^']|'')*'/g, "''")
  const acts = /\b(alter|call|create|delete|drop|execute|insert|lock|perform|truncate|update)\b/i.test(rest)
  return acts ? [...executed, { text: 'do', comments: [] }] : executed
}

/** `add a int, add b numeric(3, 1)` → its two parts. */
function splitAtCommas(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map((part) => part.trim())
}

const CONTRACTION = 'takes away what the previous version uses: name the release that stopped, -- Unused since 0.2.0: …'
const UNKNOWN = 'is unknown to e2e/src/architecture/migrations.ts: add its rule there'
const CONSTANT = /\bdefault ('[^']*'|-?[\d.]+|true|false|now\(\))(::[a-z]+(\[\])?)?( |$)/

/**
 * Why statements of a migration may stop the previous version or block others for long, one line each.
 * @param releases released versions: tables and columns that none of them uses may be dropped
 */
export function migrationViolations(migration: string, releases: readonly string[]): string[] {
  if (/^\s*--[\s-]*down\s+migration/im.test(migration)) return ['has a down migration: migrations are forward-only']
  const statements = statementsOf(migration)
  const created = statements.flatMap(({ text }) => /^create table (?:if not exists )?(\w+)/.exec(text)?.[1] ?? [])
  const rules = createRules(created, statements.length === 1)
  const unvalidated = new Set<string>()
  return statements.flatMap(({ text, comments }) => {
    const isUnused = comments.some((comment) =>
      releases.includes(/^Unused since (\d+\.\d+\.\d+): ./.exec(comment)?.[1] ?? ''),
    )
    const found = /^alter table (?:if exists )?(?:only )?(\w+) (.+)$/.exec(text)
    const [, table = '', actions = ''] = found ?? []
    const violations = found
      ? splitAtCommas(actions).map((action) => rules.action(table, action, unvalidated))
      : [rules.statement(text)]
    return violations
      .filter((violation) => violation !== null && !(violation === CONTRACTION && isUnused))
      .map((it) => `${text}: ${it}`)
  })
}

/** The rules, for a migration that creates these tables. */
function createRules(created: readonly string[], isAlone: boolean) {
  const isNew = (table = '') => created.includes(table)
  const isBig = (table = '') => BIG_TABLES.includes(table) && !isNew(table)

  function statement(text: string): string | null {
    const index =
      /^create (?:unique )?index (?<concurrently>concurrently )?(?:if not exists )?\w+ on (?<table>\w+) /.exec(
        text,
      )?.groups
    if (index?.concurrently) return isAlone ? null : 'has to be the only statement of its migration'
    if (index) return isBig(index.table) ? 'blocks writers of a big table: create it concurrently' : null
    const written = /^(?:insert into|update|delete from|truncate) (\w+)/.exec(text)?.[1]
    if (written) return isBig(written) ? 'writes a big table: backfill it in batches, in a job' : null
    const renamed = /^alter index (\w+) rename /.exec(text)?.[1]
    // The index of a table that is created anew under the name of the old one
    if (renamed && created.some((table) => renamed.startsWith(`${table}_`))) return null
    if (/^drop |^alter \w+ \w+ rename /.test(text)) return CONTRACTION
    const ruled = /^create rule \w+ as on (?:update|delete) to (\w+) do instead nothing$/.exec(text)?.[1]
    if (ruled) return isNew(ruled) ? null : 'stops the previous version from writing a table'
    const isSafe =
      /^(create (table|type|sequence|view|function) |comment on |analyze |set local statement_timeout = )/.test(text)
    return isSafe ? null : UNKNOWN
  }

  /** An action of ALTER TABLE. */
  function action(table: string, text: string, unvalidated: Set<string>): string | null {
    if (isNew(table)) return null
    if (/^add (constraint|check|unique|primary key|foreign key|exclude|not null)\b/.test(text)) {
      if (!isBig(table) || / using index \w+$/.test(text)) return null
      unvalidated.add(table)
      return text.endsWith(' not valid')
        ? null
        : 'checks a big table: add it not valid, validate it in another migration'
    }
    if (text.startsWith('add ')) return addedColumn(table, text)
    if (text.startsWith('validate constraint '))
      return unvalidated.has(table) ? 'checks a big table under the lock of the added constraint' : null
    if (/^alter (column )?\w+ (type|set data type) /.test(text))
      return isBig(table) ? 'rewrites a big table: add another column' : CONTRACTION
    if (/^alter (column )?\w+ set not null$/.test(text))
      return isBig(table) ? 'checks a big table: a validated check constraint does the same' : CONTRACTION
    if (/^(drop|rename) |^alter (column )?\w+ drop default$/.test(text)) return CONTRACTION
    const isSafe = /^alter (column )?\w+ (set default |drop not null$|set statistics )|^(set|reset) \(/.test(text)
    return isSafe ? null : UNKNOWN
  }

  function addedColumn(table: string, text: string): string | null {
    if (/ not null\b/.test(text) && !/ default /.test(text)) return 'makes inserts of the previous version fail'
    if (!isBig(table)) return null
    if (/ default /.test(text) && !CONSTANT.test(text))
      return 'rewrites a big table: only a constant default is not stored'
    return / (references|check|unique|primary key|generated)\b/.test(text) ? 'checks or rewrites a big table' : null
  }

  return { statement, action }
}
