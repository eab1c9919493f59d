package io.entroq.server.demo;

import io.entroq.examples.mapreduce.Job;
import io.entroq.examples.mapreduce.JobStore;
import io.entroq.examples.mapreduce.text.DirectCount;
import io.entroq.examples.mapreduce.text.ListedFile;
import io.entroq.examples.mapreduce.text.WordCounts;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Compares the result with the files themselves. For one thread. */
final class Verification {
  private static final int NAMED_MAX = 5;

  private final Job job;
  private final JobStore store;
  private final BooleanSupplier isInterrupted;

  Verification(Job job, JobStore store, BooleanSupplier isInterrupted) {
    this.job = job;
    this.store = store;
    this.isInterrupted = isInterrupted;
  }

  /**
   * Looks whether all files are as they were listed.
   *
   * @throws DemoException if not, with their names
   */
  void requireSameFiles(List<ListedFile> files) {
    List<String> differences =
        files.stream().map(file -> file.difference(job.root())).flatMap(Optional::stream).toList();
    if (!differences.isEmpty()) {
      throw new DemoException(
          ("The files are not those any more that were listed below %s: %s. A count of them cannot"
                  + " be compared; begin anew with another data directory.")
              .formatted(job.root(), some(differences)));
    }
  }

  /**
   * Looks whether all tasks could be done that were meant to be.
   *
   * @throws DemoException if not, with the reasons
   */
  void requireNoFailures() {
    List<String> failures = store.failures();
    if (!failures.isEmpty()) {
      throw new DemoException(
          "%,d tasks could not be done: %s".formatted(failures.size(), some(failures)));
    }
  }

  /**
   * Counts the files directly.
   *
   * @return empty if interrupted
   * @throws DemoException if a file cannot be read, or has changed
   */
  Optional<WordCounts> directCount() {
    List<ListedFile> files = store.files();
    DirectCount count = new DirectCount();
    for (ListedFile file : files) {
      if (isInterrupted.getAsBoolean()) {
        return Optional.empty();
      }
      try {
        count.add(file.in(job.root()));
      } catch (IOException e) {
        requireSameFiles(List.of(file));
        throw new DemoException("Cannot read %s: %s".formatted(file.path(), e), e);
      }
    }
    requireSameFiles(files);
    return Optional.of(count.counts());
  }

  private static String some(List<String> all) {
    String named = String.join("; ", all.subList(0, Math.min(NAMED_MAX, all.size())));
    return all.size() > NAMED_MAX
        ? "%s; and %,d more".formatted(named, all.size() - NAMED_MAX)
        : named;
  }
}
