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

/** Finds the job in a queue, or plans one. For one thread. */
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
   * Finds or plans the job.
   *
   * @param data the data directory, which is not counted
   * @return empty if interrupted before it was planned
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
                  "The data directory %s holds a queue %s that is not the demo's. Choose another."
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
                  ("The data directory %1$s holds a count of %2$s, not of %3$s. Name another with"
                          + " --data to count %3$s, or leave out DIR to go on with %2$s.")
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

  /** Refuses what is no directory, before anything is made for it. */
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
        throw new DemoException(real + " cannot be named in the locale of this run");
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
    err.printf("Left out as unreadable: %,d%n", unreadable.size());
    unreadable.stream().limit(NAMED_FILES_MAX).forEach(name -> err.println("  " + name));
    if (unreadable.size() > NAMED_FILES_MAX) {
      err.printf("  and %,d more%n", unreadable.size() - NAMED_FILES_MAX);
    }
    err.flush();
  }
}
