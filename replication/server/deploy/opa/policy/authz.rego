# The decision that EntroQ's server asks for, at /v1/data/entroq/authz.
#
# Who asks is told by the package entroq.user, and what he may do by entroq.permissions. Those two
# are yours: see user.rego and permissions.rego for an example.
package entroq.authz

import rego.v1

default allow := false

# Something has to be asked for and granted, and nothing may be wrong.
allow if {
	count(data.entroq.queues.granted) + count(data.entroq.namespaces.granted) > 0
	count(failed) == 0
	count(failed_namespaces) == 0
	count(complaints) == 0
}

# What is not granted; the server passes it on to the caller.
failed := data.entroq.queues.failed

failed_namespaces := data.entroq.namespaces.failed

# What is wrong, in words; with the name of the caller, so that he sees as whom he is known.
errors := complaints | who

complaints contains message if {
	claimant := input.claimant_id
	not is_own(claimant)
	message := sprintf("claimant \"%s\" is not the caller's: it has to begin with his name and #", [claimant])
}

who contains sprintf("User: %s", [data.entroq.user.name]) if not allow

is_own(_) if data.entroq.user.admin

is_own(claimant) if startswith(claimant, sprintf("%s#", [data.entroq.user.name]))
