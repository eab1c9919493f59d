package io.entroq.server.demo;

import io.entroq.api.EntroQ;
import io.entroq.examples.mapreduce.Job;
import io.entroq.examples.mapreduce.JobStore;
import io.entroq.examples.mapreduce.Planner;
import io.entroq.examples.mapreduce.text.FileListing;
import io.entroq.examples.mapreduce.text.FileScanner;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Finds the job in the queue or plans a new one. For one thread. */
final class Preparation {
  private static final int NAMED_FILES_MAX = 10;

  private final DemoConfig config;
  private final EntroQ queue;
  private final JobStore store;
  private final PrintWriter err;
  private final BooleanSupplier isInterrupted;

  Preparation(DemoConfig config, EntroQ queue, PrintWriter err, BooleanSupplier isInterrupted) {
    this.config = config;
    this.queue = queue;
    this.store = new JobStore(queue);
    this.err = err;
    this.isInterrupted = isInterrupted;
  }

  /**
   * Returns the existing job or plans a new one; empty if interrupted before the plan.
   *
   * @param data the data directory, which is excluded from the count
   */
  Optional<Job> job(Path data) {
    Optional<Job> found = store.job();
    if (found.isPresent()) {
      requireSameRoot(found.get(), data);
      return found;
    }
    store
        .foreignQueue()
        .ifPresent(
            name -> {
              throw new DemoException(
                  ("The data directory %s contains the queue %s, which the demo did not create."
                          + " Use another data directory.")
                      .formatted(data, name));
            });
    return plan(data);
  }

  private void requireSameRoot(Job job, Path data) {
    config
        .root()
        .map(Preparation::real)
        .filter(root -> !root.equals(job.root()))
        .ifPresent(
            root -> {
              throw new DemoException(
                  ("The data directory %1$s contains a count of %2$s, not of %3$s. Use another"
                          + " --data to count %3$s, or omit DIR to continue with %2$s.")
                      .formatted(data, job.root(), root));
            });
  }

  private Optional<Job> plan(Path data) {
    FileListing listing = scan(real(config.root().orElse(Path.of("."))), data);
    if (isInterrupted.getAsBoolean()) {
      return Optional.empty();
    }
    warnOfUnreadable(listing.unreadable());
    long seed = config.seed().orElseGet(() -> new SecureRandom().nextInt(1_000_000));
    return Optional.of(Planner.plan(queue, listing, config.chunkBytes(), config.poison(), seed));
  }

  private FileListing scan(Path root, Path data) {
    try {
      return FileScanner.scan(root, data, isInterrupted);
    } catch (IOException e) {
      throw new DemoException("Cannot read the directory %s: %s".formatted(root, e), e);
    }
  }

  /** Rejects an unusable root before any data directory is created. */
  static void requireDirectory(Path root) {
    if (!Files.exists(root)) {
      throw DemoException.wrongUsage("%s does not exist".formatted(root.toAbsolutePath()));
    }
    if (!Files.isDirectory(root)) {
      throw DemoException.wrongUsage(
          "%s is a file, not a directory".formatted(root.toAbsolutePath()));
    }
    if (!Files.isReadable(root) || !Files.isExecutable(root)) {
      throw DemoException.wrongUsage(
          "%s is a directory that you may not read".formatted(root.toAbsolutePath()));
    }
  }

  private static Path real(Path root) {
    try {
      Path real = root.toRealPath();
      if (!real.toFile().toPath().equals(real)) {
        throw new DemoException(
            real + " cannot be encoded in the current locale; use a UTF-8 locale");
      }
      return real;
    } catch (IOException e) {
      throw new DemoException("Cannot read the directory %s: %s".formatted(root, e), e);
    }
  }

  private void warnOfUnreadable(List<String> unreadable) {
    if (unreadable.isEmpty()) {
      return;
    }
    err.printf("Skipped as unreadable: %,d%n", unreadable.size());
    unreadable.stream().limit(NAMED_FILES_MAX).forEach(name -> err.println("  " + name));
    if (unreadable.size() > NAMED_FILES_MAX) {
      err.printf("  and %,d more%n", unreadable.size() - NAMED_FILES_MAX);
    }
    err.flush();
  }
}
