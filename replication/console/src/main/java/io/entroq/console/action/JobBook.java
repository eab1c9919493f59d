package io.entroq.console.action;

import io.entroq.codec.wire.Ids;
import io.entroq.console.call.CallFailedException;
import io.entroq.console.web.PageException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs of this process: at most 8 at a time, each on a thread of its own, and how the last 50
 * went. They are lost with the process. Any thread.
 */
public final class JobBook implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JobBook.class);
  private static final int RUNNING_MAX = 8;
  private static final int KEPT_MAX = 50;

  private final Map<String, Job> jobs = new LinkedHashMap<>();

  /**
   * Starts a job.
   *
   * @param title what it does
   * @throws PageException if there are too many
   */
  synchronized Job start(String title, String user, Job.Work work) {
    if (running() >= RUNNING_MAX) {
      throw PageException.invalid(
          "Nothing was done: %d jobs are running. Wait for one to end.".formatted(running()));
    }
    if (jobs.size() >= KEPT_MAX) {
      Job oldest = jobs.values().stream().filter(Job::isOver).findFirst().orElseThrow();
      jobs.remove(oldest.id());
    }
    Job job = new Job(Ids.randomV1().v1Text(), title, user);
    jobs.put(job.id(), job);
    Thread thread = new Thread(() -> run(job, work), "entroq-console-job");
    thread.setDaemon(true);
    thread.start();
    return job;
  }

  private static void run(Job job, Job.Work work) {
    LOG.info("{} has started: {}.", job.user(), job.title());
    String end;
    try {
      end = work.run(job);
    } catch (CallFailedException e) {
      end = job.progress() + " Then it failed. " + FailureWords.of(e.refusal());
    } catch (RuntimeException e) {
      LOG.error("A job failed because of an internal error.", e);
      end = job.progress() + " Then it failed. This is a defect; the server's log says more.";
    }
    job.end(end);
    LOG.info("{} has ended: {}", job.title(), end);
  }

  /** A job by its id. */
  public synchronized Optional<Job> find(String id) {
    return Optional.ofNullable(jobs.get(id));
  }

  /** All of them, the newest first. */
  public synchronized List<Job> list() {
    List<Job> newestFirst = new ArrayList<>(jobs.values());
    Collections.reverse(newestFirst);
    return newestFirst;
  }

  /** How many are running. */
  public synchronized int running() {
    return (int) jobs.values().stream().filter(job -> !job.isOver()).count();
  }

  /** Asks all jobs to end. */
  @Override
  public synchronized void close() {
    jobs.values().forEach(Job::stop);
  }
}
