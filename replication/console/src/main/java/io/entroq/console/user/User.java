package io.entroq.console.user;

import io.entroq.service.call.Principal;
import java.util.Optional;

/**
 * Who uses the console.
 *
 * @param name empty for nobody
 * @param principal as whom the service is called; empty for nobody in particular
 */
public record User(String name, Role role, Optional<Principal> principal) {
  /** Whoever sits at this machine, if nobody has to log in. */
  public static final User LOCAL = new User("local", Role.ADMIN, Optional.empty());

  /** Whoever is not logged in. */
  public static final User NOBODY = new User("", Role.VIEWER, Optional.empty());

  private static final String SUFFIX = "#console";

  /**
   * The claimant of what the user changes: its subject, and where. Mesh policies require that a
   * claimant begins with the subject.
   */
  public String claimant() {
    return principal.map(Principal::subject).orElse(name) + SUFFIX;
  }
}
