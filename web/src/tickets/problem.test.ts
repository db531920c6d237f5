import { expect, test } from 'vitest'
import { bodyOf, problemFaults } from './problem.ts'

const problem = { name: ' Jan Kowalski ', email: 'jan@example.com', message: 'Pas 1 nie mierzy.', attachment: null }
const file = (type: string, size = 3) => new File([new Uint8Array(size)], 'plik', { type })

test('name, address and message are required, and the address has to be one', () => {
  expect(problemFaults(problem)).toEqual({})
  expect(problemFaults({ ...problem, name: ' ', email: '', message: '\n' })).toEqual({
    name: 'required-parameter-missing',
    email: 'required-parameter-missing',
    message: 'required-parameter-missing',
  })
  expect(problemFaults({ ...problem, email: 'jan@' })).toEqual({ email: 'incorrect-email-address' })
})

test('a file that cannot be taken is said before it is sent', () => {
  expect(problemFaults({ ...problem, attachment: file('application/pdf') })).toEqual({})
  expect(problemFaults({ ...problem, attachment: file('image/svg+xml') })).toEqual({
    attachment: 'attachment-kind-not-accepted',
  })
  expect(problemFaults({ ...problem, attachment: file('image/png', 10 * 1024 * 1024 + 1) })).toEqual({
    attachment: 'attachment-too-large',
  })
})

test('without a file a report is sent as JSON, with one as a form', () => {
  const ticket = {
    description: 'Pas 1 nie mierzy.',
    reporterName: 'Jan Kowalski',
    reporterEmail: 'jan@example.com',
  }
  expect(bodyOf(problem)).toEqual(ticket)
  const form = bodyOf({ ...problem, attachment: file('image/png') }) as FormData
  expect(Object.fromEntries(form)).toMatchObject(ticket)
  expect(form.get('attachment')).toBeInstanceOf(File)
})
