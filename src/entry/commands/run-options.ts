import { Option } from 'commander'
import { cacheStates, positiveNumber } from '../command.ts'

/** The options that more than one command has, each with one meaning. */

export function baselineOption(): Option {
  return new Option('--baseline <ref>', 'where the accepted records are: branch:NAME, dir:PATH or file:PATH')
}

export function cacheOption(): Option {
  return new Option('--cache <states>', 'which cache states')
    .default(['cold', 'warm'], 'cold,warm')
    .argParser(cacheStates)
}

export function subjectOption(): Option {
  return new Option('--subject <file>', 'YAML that overrides subject fields of the manifest')
}

export function priceOption(): Option {
  return new Option('--price-per-gpu-hour <x>', 'what a GPU costs an hour, in any currency').argParser(positiveNumber)
}
