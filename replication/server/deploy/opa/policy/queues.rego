# What a request wants to do to queues, and what of it is granted.
package entroq.queues

import rego.v1

default rules := []

rules := data.entroq.permissions.queues

wanted := object.get(input, "queues", [])

granted := [want | some want in wanted; count(data.entroq.match.lacking(rules, want)) == 0]

failed := data.entroq.match.failed(rules, wanted)
