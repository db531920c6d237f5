import * as datex from './datex.ts'
import { reference } from './reference.ts'

const HEADERS = {
  'If-Modified-Since': { description: 'The last Last-Modified', example: 'Tue, 20 Oct 2026 08:00:00 GMT' },
}

export const datexReference = reference('DATEX II', datex, {
  measured: { errors: { 404: ['not-found'] }, headers: HEADERS, query: { locations: '5,7' } },
  sites: { errors: { 404: ['not-found'] }, headers: HEADERS },
  signs: { errors: { 404: ['not-found'] }, headers: HEADERS },
  signStatus: { errors: { 404: ['not-found'] }, headers: HEADERS },
})
