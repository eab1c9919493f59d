package io.entroq.console.login;

import io.entroq.console.user.Role;
import java.util.regex.Pattern;

/**
 * A line of a file of users: {@code NAME:HASH:ROLE}.
 *
 * @param name without colons, at most 64 characters
 * @param hash of bcrypt; {@code *} for a user who does not log in with a password
 */
public record UserEntry(String name, String hash, Role role) {
  /** In place of a hash: such a user has another login, and only the role is here. */
  public static final String NO_PASSWORD = "*";

  private static final Pattern HASH = Pattern.compile("\\$2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}");
  private static final Pattern NAME = Pattern.compile("[^:\\s\\p{Cntrl}#][^:\\p{Cntrl}]{0,63}");
  private static final int COST_MAX = 16;

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if one cannot be used
   */
  public UserEntry {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a name has 1 to 64 characters, no colon, and does not begin with # or a blank");
    }
    if (!hash.equals(NO_PASSWORD)) {
      if (!HASH.matcher(hash).matches()) {
        throw new IllegalArgumentException(
            "expected a hash of bcrypt, such as $2y$12$..., or * for a user without a password");
      }
      // Each step doubles the time; what takes seconds would keep everybody from logging in.
      if (Integer.parseInt(hash.substring(4, 6)) > COST_MAX) {
        throw new IllegalArgumentException("the cost of a hash is at most " + COST_MAX);
      }
    }
  }

  /**
   * The entry of a line.
   *
   * @throws IllegalArgumentException if it cannot be used
   */
  static UserEntry of(String line) {
    String[] parts = line.split(":", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("expected NAME:HASH:ROLE");
    }
    Role role =
        Role.named(parts[2].strip())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "expected viewer, operator or admin, got " + parts[2].strip()));
    return new UserEntry(parts[0], parts[1], role);
  }

  /** The line of the file. */
  public String line() {
    return name + ":" + hash + ":" + role.label();
  }

  /** Whether the user logs in with a password. */
  boolean hasPassword() {
    return !hash.equals(NO_PASSWORD);
  }
}
