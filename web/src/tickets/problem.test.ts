import { expect, test } from 'vitest'
import { problemErrors, toRequestBody } from './problem.ts'

const problem = {
  name: ' Jan Kowalski ',
  email: 'jan@example.com',
  message: 'Pas 1 nie mierzy.',
  subject: '',
  station: null,
  lane: null,
  sign: '',
  attachments: [],
}
const context = { page: '/stat', version: 'ZG201025', listRequests: 3 }
const file = (type: string, size = 3) => new File([new Uint8Array(size)], 'plik', { type })

test('requires name, message and a valid address', () => {
  expect(problemErrors(problem)).toEqual({})
  expect(problemErrors({ ...problem, name: ' ', email: '', message: '\n' })).toEqual({
    name: 'required-parameter-missing',
    email: 'required-parameter-missing',
    message: 'required-parameter-missing',
  })
  expect(problemErrors({ ...problem, email: 'jan@' })).toEqual({ email: 'incorrect-email-address' })
})

test('rejects an unsupported file before sending', () => {
  expect(problemErrors({ ...problem, attachments: [file('application/pdf')] })).toEqual({})
  expect(problemErrors({ ...problem, attachments: [file('image/png'), file('image/svg+xml')] })).toEqual({
    attachments: 'attachment-kind-not-accepted',
  })
  expect(problemErrors({ ...problem, attachments: [file('image/png', 10 * 1024 * 1024 + 1)] })).toEqual({
    attachments: 'attachment-too-large',
  })
})

test('rejects more than five files before sending', () => {
  const attachments = Array.from({ length: 6 }, () => file('image/png'))
  expect(problemErrors({ ...problem, attachments })).toEqual({ attachments: 'list-too-long' })
})

test('without a file a report is sent as JSON, with files as a form', () => {
  const ticket = {
    description: 'Pas 1 nie mierzy.',
    reporterName: 'Jan Kowalski',
    reporterEmail: 'jan@example.com',
    page: '/stat',
    version: 'ZG201025',
    listRequests: 3,
  }
  expect(toRequestBody(problem, context)).toEqual(ticket)
  const filled = { ...problem, subject: ' Waga ', station: '7', lane: '2', sign: 'Z1 ' }
  expect(toRequestBody(filled, context)).toEqual({ ...ticket, title: 'Waga', locationId: 7, laneNumber: 2, sign: 'Z1' })
  const { page: _, ...withoutPage } = ticket
  expect(toRequestBody(problem, { ...context, page: null })).toEqual(withoutPage)
  // A lane without a station is ignored.
  expect(toRequestBody({ ...problem, lane: '2' }, context)).toEqual(ticket)
  const form = toRequestBody({ ...problem, attachments: [file('image/png'), file('image/gif')] }, context) as FormData
  expect(Object.fromEntries(form)).toMatchObject({ ...ticket, listRequests: '3' })
  expect(form.getAll('attachment')).toHaveLength(2)
})
