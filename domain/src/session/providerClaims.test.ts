import { describe, expect, test } from 'vitest'
import { groupsOf, hasSecondFactor, mappedRole, namesOf, numberedName, parseRoleMap } from './providerClaims.ts'

describe('role map', () => {
  test('takes the first entry whose group the user has', () => {
    const map = parseRoleMap('wim-admins = Administrator; CN=Operators,OU=WIM=Operator;')
    expect(map).toEqual([
      { group: 'wim-admins', role: 'Administrator' },
      { group: 'CN=Operators,OU=WIM', role: 'Operator' },
    ])
    expect(mappedRole(map ?? [], ['other', 'CN=Operators,OU=WIM', 'wim-admins'])).toBe('Administrator')
    expect(mappedRole(map ?? [], ['CN=Operators,OU=WIM'])).toBe('Operator')
    expect(mappedRole(map ?? [], ['wim'])).toBeUndefined()
  })

  test.each(['', ';', 'group', '=role', 'group=', 'a=b;c'])('refuses %j', (text) => {
    expect(parseRoleMap(text)).toBeNull()
  })
})

describe('claims', () => {
  test('have groups as a list, as one text, or inside another claim', () => {
    expect(groupsOf({ groups: ['a', 'b', 7, null] }, 'groups')).toEqual(['a', 'b'])
    expect(groupsOf({ role: 'a' }, 'role')).toEqual(['a'])
    expect(groupsOf({ realm_access: { roles: ['a'] } }, 'realm_access.roles')).toEqual(['a'])
    expect(groupsOf({ 'https://wim.example/roles': ['a'] }, 'https://wim.example/roles')).toEqual(['a'])
    expect(groupsOf({}, 'groups')).toEqual([])
    expect(groupsOf({ groups: 'a' }, 'groups.length')).toEqual([])
    expect(groupsOf({}, 'constructor.name')).toEqual([])
  })

  test('show a second factor by amr or by an agreed acr', () => {
    expect(hasSecondFactor({ amr: ['pwd', 'mfa'] }, [])).toBe(true)
    expect(hasSecondFactor({ amr: ['pwd', 'otp'], acr: '1' }, ['2'])).toBe(false)
    expect(hasSecondFactor({ acr: '2' }, ['2', '3'])).toBe(true)
    expect(hasSecondFactor({ amr: 'mfa' }, [])).toBe(false)
    expect(hasSecondFactor({}, [])).toBe(false)
  })

  test('name a new account', () => {
    expect(namesOf({ sub: '1', preferred_username: 'anna', given_name: 'Anna', family_name: 'Nowak' })).toEqual({
      username: 'anna',
      firstName: 'Anna',
      lastName: 'Nowak',
    })
    expect(namesOf({ sub: '1', email: 'anna@zdw.example', name: 'Anna Maria Nowak' })).toEqual({
      username: 'anna@zdw.example',
      firstName: 'Anna Maria',
      lastName: 'Nowak',
    })
    expect(namesOf({ sub: 'x1' })).toEqual({ username: 'x1', firstName: 'x1', lastName: 'x1' })
    expect(namesOf({ sub: '\u0000', preferred_username: 'a\u0000\u202eb\ud800' }).username).toBe('ab\ufffd')
    expect(namesOf({ sub: '1', preferred_username: '\u{1f600}'.repeat(60) }).username.length).toBe(60)
    expect(numberedName('anna', 1)).toBe('anna')
    expect(numberedName('a'.repeat(60), 12)).toBe(`${'a'.repeat(57)}-12`)
  })
})
