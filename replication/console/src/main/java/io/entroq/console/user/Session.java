package io.entroq.console.user;

/**
 * A user who is logged in, or who need not be.
 *
 * @param id random; CSRF tokens belong to it
 * @param startMs since the epoch
 * @param endMs since the epoch
 */
public record Session(User user, String id, long startMs, long endMs) {
  /** Of a console without a login: it never ends. */
  public static final Session LOCAL = new Session(User.LOCAL, "local", 0, Long.MAX_VALUE);

  /** Of whoever is not logged in. */
  public static final Session NONE = new Session(User.NOBODY, "", 0, 0);
}
