import { configureGlobal } from 'fast-check'

configureGlobal({ endOnFailure: true })
