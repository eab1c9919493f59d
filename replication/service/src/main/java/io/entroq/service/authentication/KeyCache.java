package io.entroq.service.authentication;

import io.entroq.service.limit.RateLimitedLog;
import java.io.IOException;
import java.text.ParseException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest keys, fetched by a thread of its own when somebody needs them. Any thread; does not
 * block.
 *
 * <p>Half-way through their lifetime, keys are fetched again while the old ones are still used; so
 * a source may be away for half of that time without anybody noticing. A file is read again after
 * each interval. A token by an unknown key has the keys fetched at once, but at most once per
 * interval.
 */
final class KeyCache implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KeyCache.class);
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);

  private final KeySource source;
  private final SignatureAlgorithms algorithms;
  private final long lifetimeNs;
  private final long intervalNs;
  private final long refreshAfterNs;
  private final LongSupplier clockNs;
  private final RateLimitedLog problems = new RateLimitedLog(LOG_INTERVAL);
  private final ExecutorService thread = Executors.newSingleThreadExecutor(KeyCache::thread);

  /** Null until there are keys. */
  private volatile Fetched fetched;

  /** Null while nothing is being fetched. */
  private CompletableFuture<KeySet> running;

  private boolean hasAttempted;
  private volatile long attemptedNs;

  /** Why the last attempt failed; null if it succeeded. */
  private AuthenticationException problem;

  private record Fetched(KeySet keys, long atNs) {}

  /**
   * @param clockNs a monotonic clock
   */
  KeyCache(KeySource source, AuthenticationConfig config, LongSupplier clockNs) {
    this.source = source;
    this.clockNs = clockNs;
    algorithms = SignatureAlgorithms.of(config.algorithms());
    lifetimeNs = config.jwksCacheTtl().toNanos();
    intervalNs = config.jwksRefreshInterval().toNanos();
    refreshAfterNs = source.isLocal() ? Math.min(intervalNs, lifetimeNs / 2) : lifetimeNs / 2;
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "entroq-authn");
    thread.setDaemon(true);
    return thread;
  }

  /** The keys; null if there are none yet, or they are too old. */
  KeySet current() {
    Fetched last = fetched;
    if (last == null) {
      return null;
    }
    long nowNs = clockNs.getAsLong();
    long ageNs = nowNs - last.atNs;
    if (ageNs >= refreshAfterNs && nowNs - attemptedNs >= intervalNs) {
      CompletableFuture<KeySet> unused = refresh();
    }
    return ageNs < lifetimeNs ? last.keys : null;
  }

  /**
   * Fetches the keys, unless the last attempt was too short a time ago.
   *
   * @return the newest keys, or an {@link AuthenticationException} if the last attempt failed
   */
  synchronized CompletableFuture<KeySet> refresh() {
    if (running != null) {
      return running;
    }
    long nowNs = clockNs.getAsLong();
    if (hasAttempted && nowNs - attemptedNs < intervalNs) {
      return problem == null
          ? CompletableFuture.completedFuture(fetched.keys)
          : CompletableFuture.failedFuture(problem);
    }
    hasAttempted = true;
    attemptedNs = nowNs;
    CompletableFuture<KeySet> started = new CompletableFuture<>();
    running = started;
    try {
      thread.execute(() -> fetch(started));
    } catch (RejectedExecutionException e) {
      running = null;
      problem = AuthenticationException.unavailable("the server is about to end", e);
      return CompletableFuture.failedFuture(problem);
    }
    return started;
  }

  private void fetch(CompletableFuture<KeySet> started) {
    KeySet keys;
    try {
      byte[] document = source.read();
      Fetched last = fetched;
      keys =
          last != null && last.keys.isFrom(document)
              ? last.keys
              : KeySet.parse(document, algorithms);
      tell(last, keys);
    } catch (InterruptedException e) {
      // The server ends.
      Thread.currentThread().interrupt();
      fail(started, "the server is about to end", e);
      return;
    } catch (IOException e) {
      fail(started, e.getMessage(), e);
      return;
    } catch (ParseException e) {
      fail(started, "it is not a valid JSON Web Key Set: " + e.getMessage(), e);
      return;
    } catch (RuntimeException | Error e) {
      // Whatever it was: nobody fetches again before this attempt has ended.
      LOG.error("Fetching keys failed because of an internal error.", e);
      fail(started, "internal error", e);
      return;
    }
    synchronized (this) {
      fetched = new Fetched(keys, clockNs.getAsLong());
      problem = null;
      running = null;
    }
    // Without the lock: the waiting calls continue here.
    started.complete(keys);
  }

  private void tell(Fetched last, KeySet keys) {
    if (last == null || last.keys != keys) {
      LOG.info("Read {} keys for verifying tokens from {}.", keys.size(), source.description());
    }
  }

  private void fail(CompletableFuture<KeySet> started, String why, Throwable cause) {
    problems.run(
        suppressed ->
            LOG.warn(
                "Cannot read the keys for verifying tokens from {}: {} ({} more failures since the"
                    + " last such message).",
                source.description(),
                why,
                suppressed));
    // Callers need not know where the keys are.
    AuthenticationException failure =
        AuthenticationException.unavailable(
            "the keys for verifying tokens are not available now; try again", cause);
    synchronized (this) {
      problem = failure;
      running = null;
    }
    started.completeExceptionally(failure);
  }

  /** Ends the thread; calls that wait for keys fail. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
