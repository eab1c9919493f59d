package io.entroq.console.read;

import io.entroq.console.call.AdminCalls;
import io.entroq.console.call.AsOf;
import io.entroq.console.call.ServiceCalls;
import io.entroq.console.user.Role;
import io.entroq.console.user.User;
import io.entroq.console.value.ValueMask;
import io.entroq.console.web.PageException;
import io.entroq.console.web.Parameters;
import java.time.Duration;
import java.util.Optional;

/**
 * A user's request for a page or an action. Single-threaded.
 *
 * @param reads with the time that is left for the page
 * @param parameters of the URL, or the fields of the form
 * @param mask hides parts of values from the user
 * @param past what {@link #reads} shows, so nothing can be changed; empty for the present
 */
public record Visit(
    ServiceCalls calls,
    AdminCalls admin,
    Reads reads,
    User user,
    Parameters parameters,
    ValueMask mask,
    Optional<AsOf> past) {
  /** Of the present. */
  public Visit(
      ServiceCalls calls,
      AdminCalls admin,
      Reads reads,
      User user,
      Parameters parameters,
      ValueMask mask) {
    this(calls, admin, reads, user, parameters, mask, Optional.empty());
  }

  /**
   * The same of the past.
   *
   * @param moment as the service reads it
   * @param patience for everything that is asked
   * @throws io.entroq.console.call.CallFailedException if there is no such moment
   */
  public Visit asOf(String moment, Duration patience) {
    Reads then = new Reads(calls.asOf(moment), user, patience);
    then.timeMs();
    return new Visit(calls, admin, then, user, parameters, mask, then.shown());
  }

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

  /** Whether the user may do what a role may: nothing in the past. */
  public boolean may(Role role) {
    return !isPast() && user.role().includes(role);
  }

  /** Whether {@link #reads} shows the past. */
  public boolean isPast() {
    return past.isPresent();
  }

  /** The title of what is so at the time that is shown. */
  public String now() {
    return isPast() ? "Then" : "Now";
  }

  /** Reads of the present with time of their own, for what takes longer than a page. */
  public Reads reads(Duration patience) {
    return new Reads(calls, user, patience);
  }
}
