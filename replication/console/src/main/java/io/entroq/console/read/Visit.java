package io.entroq.console.read;

import io.entroq.console.call.AdminCalls;
import io.entroq.console.call.ServiceCalls;
import io.entroq.console.user.Role;
import io.entroq.console.user.User;
import io.entroq.console.value.ValueMask;
import io.entroq.console.web.PageException;
import io.entroq.console.web.Parameters;
import java.time.Duration;

/**
 * A user's request for a page or an action. Single-threaded.
 *
 * @param reads with the time that is left for the page
 * @param parameters of the URL, or the fields of the form
 * @param mask hides parts of values from the user
 */
public record Visit(
    ServiceCalls calls,
    AdminCalls admin,
    Reads reads,
    User user,
    Parameters parameters,
    ValueMask mask) {
  /** A parameter; empty if it is absent. */
  public String text(String name) {
    return parameters.text(name);
  }

  /**
   * A parameter that is a whole number.
   *
   * @throws io.entroq.console.web.PageException if it is absent, or not within the bounds
   */
  public int number(String name, int min, int max) {
    if (text(name).isBlank()) {
      throw PageException.invalid(name + ": a number is missing.");
    }
    return (int) parameters.number(name, min, min, max);
  }

  /** The claimant of all that the user changes. */
  public String claimant() {
    return user.claimant();
  }

  /** Whether the user may do what a role may. */
  public boolean may(Role role) {
    return user.role().includes(role);
  }

  /** Reads with time of their own, for what takes longer than a page. */
  public Reads reads(Duration patience) {
    return new Reads(calls, user, patience);
  }
}
