import { Catalogue } from '../src/catalogue/catalogue.ts'

// Commands that run in the process of the test load the catalogue as a process of their own would, and preparing its search takes a
// second. They share what was prepared: a catalogue never changes.

// This file is run again for each test file of a worker.
const everywhere = globalThis as { prepareCatalogue?: typeof Catalogue.fromSnapshot }
if (everywhere.prepareCatalogue === undefined) {
  const prepare = Catalogue.fromSnapshot
  everywhere.prepareCatalogue = prepare
  const prepared = new Map<string, Catalogue>()
  Catalogue.fromSnapshot = (snapshot, rules) =>
    prepared.getOrInsertComputed(snapshot.id, () => prepare(snapshot, rules))
}
