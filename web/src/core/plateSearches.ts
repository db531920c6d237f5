import { session } from './session.ts'

/*
 * Plates in addresses of pages and calls are replaced by ids, drawn here and saved on the server (savedSearches.ts): the
 * browser keeps addresses in its history, servers in their logs. What the ids stand for is kept in memory only.
 */

/** Values of filters as in a URL, by their names. */
export type HiddenFields = Readonly<Record<string, string>>

/** Parameters of page addresses that hold ids, with the fields that each stands for. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  search: ['plateLpr', 'plates'],
  /** Text of a search in a plate list. */
  searchId: ['text'],
  /** Plate of a new entry. */
  entry: ['plate'],
}

const ID_BYTES = 16
let fieldsById = new Map<string, HiddenFields>()
let idsByFields = new Map<string, string>()
session.subscribe(() => {
  if (session.get().token !== null) return
  fieldsById = new Map()
  idsByFields = new Map()
})

/** 128 random bits in base64url. */
function drawId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

const keyOf = (fields: HiddenFields): string =>
  JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))

/** The id of these fields in this tab; the same for the same fields. */
export function idOf(fields: HiddenFields): string {
  const key = keyOf(fields)
  const id = idsByFields.get(key) ?? drawId()
  idsByFields.set(key, id)
  fieldsById.set(id, fields)
  return id
}

/** Records what a saved search stands for. */
export function recordFields(id: string, fields: HiddenFields): void {
  fieldsById.set(id, fields)
  if (!idsByFields.has(keyOf(fields))) idsByFields.set(keyOf(fields), id)
}

/** What an id stands for; undefined: not known in this tab. */
export const fieldsOf = (id: string): HiddenFields | undefined => fieldsById.get(id)

/** The named fields that are not empty, and all other fields; null without such a field. */
export function takeFields(
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
): { fields: HiddenFields; rest: Record<string, unknown> } | null {
  const fields: Record<string, string> = {}
  for (const name of names) {
    const value = values[name]
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '')
    if (text !== '') fields[name] = text
  }
  if (Object.keys(fields).length === 0) return null
  const rest = Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
  return { fields, rest }
}

/** Values of an address with ids in place of plates. */
export function hideFields(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let hidden = values
  for (const [parameter, names] of Object.entries(PARAMETERS)) {
    const taken = takeFields(hidden, names)
    if (taken) hidden = { ...taken.rest, [parameter]: idOf(taken.fields) }
  }
  return hidden
}

/** Values of an address with what its ids stand for; unknown ids stay. */
export function showFields(values: Readonly<Record<string, string>>): Record<string, string> {
  let shown: Record<string, string> = { ...values }
  for (const { parameter, id } of idsIn(values)) {
    const fields = fieldsOf(id)
    if (!fields) continue
    const { [parameter]: _, ...rest } = shown
    shown = { ...rest, ...fields }
  }
  return shown
}

/** The parameters of an address that hold ids. */
export const idsIn = (values: Readonly<Record<string, unknown>>): { parameter: string; id: string }[] =>
  Object.keys(PARAMETERS).flatMap((parameter) => {
    const id = values[parameter]
    return typeof id === 'string' && id !== '' ? [{ parameter, id }] : []
  })
