# How rules are held against what is wanted. Both are objects with a name, which is exact or a
# prefix, and actions: {"prefix": "/orders/", "actions": ["CLAIM", "DELETE"]}.
package entroq.match

import rego.v1

# Words in a rule that stand for every action.
every_action := {"*", "ALL", "ANY"}

# The actions of a want that no rule grants.
lacking(rules, want) := {action |
	some action in want.actions
	not grants(rules, want, action)
}

# The wants that are not granted as a whole, each with what it lacks.
failed(rules, wants) := [failure |
	some want in wants
	actions := lacking(rules, want)
	count(actions) > 0
	failure := object.union(object.filter(want, ["exact", "prefix"]), {"actions": actions})
]

grants(rules, want, action) if {
	some rule in rules
	covers(rule, want)
	some word in rule.actions
	names(word, action)
}

names(word, action) if word == action

names(word, _) if word in every_action

# Whether a rule is about what is wanted. All that a prefix stands for is wanted by that prefix.
covers(rule, want) if want.exact == rule.exact

covers(rule, want) if startswith(want.exact, rule.prefix)

covers(rule, want) if startswith(want.prefix, rule.prefix)

# A want without a name is about a task of which nobody knows where it is, if it is anywhere. Only
# a rule about everything covers that.
covers(rule, want) if {
	rule.prefix == ""
	not "exact" in object.keys(want)
	not "prefix" in object.keys(want)
}
