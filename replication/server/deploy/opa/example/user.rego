# Who asks. An example: callers are known by tokens that stand in data.json. For tokens that are
# signed, take the name from io.jwt.decode_verify instead, see the README.
package entroq.user

import rego.v1

name := data.entroq_example.tokens[input.authz.credentials] if input.authz.type == "Bearer"

default admin := false

admin if "admin" in data.entroq_example.users[name].roles
