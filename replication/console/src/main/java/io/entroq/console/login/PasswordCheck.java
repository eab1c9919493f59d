package io.entroq.console.login;

import io.entroq.service.limit.Limit;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.security.crypto.bcrypt.BCrypt;

/**
 * Compares passwords with hashes on a thread of its own, since each takes a quarter of a second.
 * Any thread.
 */
public final class PasswordCheck implements AutoCloseable {
  /** The longest password; bcrypt looks at no more. */
  public static final int BYTES_MAX = 72;

  private static final int COST = 12;

  /** Of a password that nobody has: an unknown name takes as long as a known one. */
  private static final String NOBODY =
      "$2a$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW";

  private final ExecutorService thread =
      new ThreadPoolExecutor(
          1,
          1,
          10,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(Limit.CONSOLE_LOGINS.standard()),
          work -> {
            Thread started = new Thread(work, "entroq-console-login");
            started.setDaemon(true);
            return started;
          });

  /** Ends its thread when there is nothing to do. */
  public PasswordCheck() {
    ((ThreadPoolExecutor) thread).allowCoreThreadTimeOut(true);
  }

  /** The hash of a new password, for a file of users. */
  public static String hash(String password) {
    return BCrypt.hashpw(password, BCrypt.gensalt("$2y", COST));
  }

  /**
   * Whether a password is that of a user.
   *
   * @param user empty if there is none of the name that was given
   * @throws java.util.concurrent.RejectedExecutionException if too many wait
   */
  CompletableFuture<Boolean> isOf(Optional<UserEntry> user, String password) {
    Optional<UserEntry> known = user.filter(UserEntry::hasPassword);
    String hash = known.map(UserEntry::hash).orElse(NOBODY);
    return CompletableFuture.supplyAsync(
        () -> BCrypt.checkpw(password, hash) && known.isPresent(), thread);
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
