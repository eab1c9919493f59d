# What a request wants to do to docs, and what of it is granted.
package entroq.namespaces

import rego.v1

default rules := []

rules := data.entroq.permissions.namespaces

wanted := object.get(input, "namespaces", [])

granted := [want | some want in wanted; count(data.entroq.match.lacking(rules, want)) == 0]

failed := data.entroq.match.failed(rules, wanted)
