import test from 'node:test'
import { fuzz } from './fuzz-run.js'

test('editors and a terminal agree after random edits', () => fuzz(1, 1000, 20))
