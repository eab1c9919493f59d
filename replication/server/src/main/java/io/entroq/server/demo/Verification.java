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

/** Checks the tasks of a job and counts its files directly. For one thread. */
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
   * Checks that no file has changed since it was listed.
   *
   * @throws DemoException with the names of the files that have changed
   */
  void requireSameFiles(List<ListedFile> files) {
    List<String> differences =
        files.stream().map(file -> file.difference(job.root())).flatMap(Optional::stream).toList();
    if (!differences.isEmpty()) {
      throw new DemoException(
          ("The files below %s have changed since they were listed: %s. The result cannot be"
                  + " compared with them; start again with another data directory.")
              .formatted(job.root(), summarize(differences)));
    }
  }

  /**
   * Checks that no task failed except the poison tasks.
   *
   * @throws DemoException with the reasons of the failures
   */
  void requireNoFailures() {
    List<String> failures = store.failures();
    if (!failures.isEmpty()) {
      throw new DemoException(
          "%,d tasks failed: %s".formatted(failures.size(), summarize(failures)));
    }
  }

  /**
   * Counts the files directly.
   *
   * @return empty if interrupted
   * @throws DemoException if a file cannot be read, or has changed since it was listed
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

  private static String summarize(List<String> all) {
    String named = String.join("; ", all.subList(0, Math.min(NAMED_MAX, all.size())));
    return all.size() > NAMED_MAX
        ? "%s; and %,d more".formatted(named, all.size() - NAMED_MAX)
        : named;
  }
}
