import { expect, test } from 'vitest'
import { addressGroup, addressMatcher } from './connection-limits.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:50123', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('limits on %s hold for %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})

test('addresses and networks match, also IPv4 addresses mapped to IPv6', () => {
  const matches = addressMatcher(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32'])
  const tried = ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.1', '2001:db8::5', '192.0.2.2', '11.0.0.1', '::1']
  expect(tried.filter(matches)).toEqual(tried.slice(0, 4))
  expect(addressMatcher([])('10.1.2.3')).toBe(false)
})

test.each(['proxy', '10.0.0.0/33', '10.0.0/8', '::/129', '10.0.0.1/'])('%s is not a network', (entry) => {
  expect(() => addressMatcher([entry])).toThrow(JSON.stringify(entry))
})
