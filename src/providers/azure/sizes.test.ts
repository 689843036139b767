import { expect, test } from 'vitest'
import { fillMachines, type MachineType } from '../machine.ts'
import { azureArchitectureRules, azureSizeRules, isAzureAccelerated } from './sizes.ts'

type Size = readonly [vcpus: number, ramGib: number] | null

const machine = (size: Size, rest: Partial<MachineType> = {}): MachineType => ({
  vcpus: size?.[0] ?? null,
  ramGib: size?.[1] ?? null,
  architecture: size === null ? '' : 'x86_64',
  gpuCount: size === null ? null : 0,
  gpuName: '',
  ...rest,
})

/** What the rules derive for the first type, given the sizes of others. */
function check(
  type: string,
  others: Record<string, Size>,
  expected: Size,
  rest: Partial<MachineType> = {},
): void {
  const rows = Object.entries({ [type]: null, ...others }).map(([instanceType, size]) => ({
    instanceType,
    ...machine(size, size === null ? {} : rest),
  }))
  const rules = {
    sizes: azureSizeRules,
    architectures: azureArchitectureRules,
    isAccelerated: isAzureAccelerated,
  }
  const found = fillMachines(rows, rules).get(type)
  expect(found?.vcpus === null ? null : [found?.vcpus, found?.ramGib], type).toEqual(expected)
}

const ramPerVcpu4 = { Standard_D2x_v9: [2, 8], Standard_D8x_v9: [8, 32], Standard_D16x_v9: [16, 64] } as const

test('constrained vCPUs, at either place of the name', () => {
  check('Standard_E16-4as_v6', { Standard_E16as_v6: [16, 128] }, [4, 128])
  check('Standard_M176ds-44_3_v3', { Standard_M176ds_3_v3: [176, 2794] }, [44, 2794])
  check('Standard_M24s-12_v3', { Standard_M24s_v3: [24, 480] }, [12, 480])
  check('Standard_E16-4as_v6', { Standard_E16as_v5: [16, 128] }, null)
  check('Standard_E16-32as_v6', { Standard_E16as_v6: [16, 128] }, null)
})

test('a local disk changes no size', () => {
  check('Standard_E8bds_v9', { Standard_E8bs_v9: [8, 64] }, [8, 64])
  check('Standard_NC8lds_xl_v6', { Standard_NC8ls_xl_v6: [8, 64] }, null)
})

test('a constrained size with a local disk needs two rules in turn', () =>
  check('Standard_E16-4ads_v9', { Standard_E16ads_v9: null, Standard_E16as_v9: [16, 128] }, [4, 128]))

test('a promotion has the size it promotes', () =>
  check('Standard_NC6_Promo', { Standard_NC6: [6, 56] }, [6, 56]))

test('between siblings of constant RAM per vCPU, not beyond them', () => {
  check('Standard_D4x_v9', ramPerVcpu4, [4, 16])
  check('Standard_D32x_v9', ramPerVcpu4, null)
  check('Standard_D1x_v9', ramPerVcpu4, null)
  check('Standard_D4x_v9', { ...ramPerVcpu4, Standard_D64x_v9: [64, 208] }, null)
  check('Standard_D4x_v9', { Standard_D2x_v9: [2, 8], Standard_D8x_v9: [8, 32] }, null)
  check('Standard_D4_v9', { Standard_D3_v9: [4, 14], Standard_D2_v9: [2, 7], Standard_D5_v9: [16, 56] }, null)
  check('Standard_D4x_v9', ramPerVcpu4, null, { gpuCount: 1 })
})

test('documented sizes; those that contradict their series come from the siblings', () => {
  check('Standard_D4s_v7', {}, [4, 16])
  check('Standard_D4ds_v7', { Standard_D4s_v7: null }, [4, 16])
  check('Standard_E372is_v7', {}, [372, 2832])
  const series = [2, 4, 8, 16, 32, 48, 128, 192, 248].map(
    (vcpus) => [`Standard_D${vcpus}ls_v7`, null] as const,
  )
  check('Standard_D96ls_v7', Object.fromEntries(series), [96, 192])
})

test('names without information', () => {
  for (const type of [
    'Standard_SQLG7_AMD_IaaS',
    'Standard_M12s-6_v32',
    '',
    'Standard_',
    '__proto__',
    'Basic_A1',
  ])
    check(type, ramPerVcpu4, null)
})

test('processor letters', () => {
  const [rule] = azureArchitectureRules
  const of = (type: string) => rule?.architectureOf(type, new Map())
  expect(of('Standard_D96pls_v5')).toBe('arm64')
  expect(of('Standard_F72als_v6')).toBe('x86_64')
  expect(of('Standard_D4s_v9')).toBe('')
  expect(of('Standard_ND128isr_NDR_GB200_v6')).toBe('')
})
