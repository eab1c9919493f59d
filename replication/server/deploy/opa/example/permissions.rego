# What the caller may do. An example: everybody has the rules of his roles, of the role of everybody,
# and of whatever lies under his own name.
package entroq.permissions

import rego.v1

queues := array.concat(own, of_roles("queues"))

namespaces := array.concat(own, of_roles("namespaces"))

default own := []

own := [{"prefix": sprintf("/users/%s/", [data.entroq.user.name]), "actions": ["*"]}]

of_roles(kind) := [rule |
	some role in roles
	some rule in object.get(data.entroq_example.roles[role], kind, [])
]

roles contains "everybody"

roles contains role if some role in data.entroq_example.users[data.entroq.user.name].roles
