package io.entroq.console.login;

import io.entroq.console.user.Role;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The role of a user of an identity provider: of a file if it has the name, else by a claim. */
final class RoleMapping {
  private final Optional<UserFile> users;
  private final OidcConfig config;

  RoleMapping(Optional<UserFile> users, OidcConfig config) {
    this.users = users;
    this.config = config;
  }

  /** The role that the file gives a user now. */
  Optional<Role> inFile(String name) {
    return users.flatMap(file -> file.find(name)).map(UserEntry::role);
  }

  /**
   * The role by what a token says.
   *
   * @param claims of the token
   */
  Role byClaim(Map<String, Object> claims) {
    Object claim = config.roleClaim().map(claims::get).orElse(null);
    // Some providers send a single value as it is.
    Collection<?> values =
        claim instanceof Collection<?> several
            ? several
            : claim == null ? List.of() : List.of(claim);
    Set<String> named =
        values.stream().filter(Objects::nonNull).map(Object::toString).collect(Collectors.toSet());
    if (named.stream().anyMatch(config.admins()::contains)) {
      return Role.ADMIN;
    }
    return named.stream().anyMatch(config.operators()::contains) ? Role.OPERATOR : Role.VIEWER;
  }
}
