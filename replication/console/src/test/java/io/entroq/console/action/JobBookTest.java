package io.entroq.console.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.console.web.PageException;
import io.entroq.service.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobBookTest {
  private final JobBook jobs = new JobBook();
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  @AfterEach
  void close() {
    mayEnd.countDown();
    jobs.close();
  }

  private String untilItMayEnd(Job job) {
    try {
      mayEnd.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return job.isStopping() ? "It was stopped." : "It is done.";
  }

  private static void awaitEnd(Job job) {
    Await.until("the job is over", job::isOver);
  }

  @Test
  void shouldTellHowAJobGoes() {
    Job job = jobs.start("Clear q", "ann", this::untilItMayEnd);
    assertThat(jobs.find(job.id())).contains(job);
    assertThat(job.isOver()).isFalse();
    job.progress("5 tasks are deleted.");
    assertThat(job.progress()).isEqualTo("5 tasks are deleted.");
    mayEnd.countDown();
    awaitEnd(job);
    assertThat(job.progress()).isEqualTo("It is done.");
    assertThat(jobs.find("unknown")).isEmpty();
  }

  @Test
  void shouldStopAJob() {
    Job job = jobs.start("Clear q", "ann", this::untilItMayEnd);
    job.stop();
    mayEnd.countDown();
    awaitEnd(job);
    assertThat(job.progress()).isEqualTo("It was stopped.");
  }

  @Test
  void shouldTellThatAJobFailed() {
    Job job =
        jobs.start(
            "Clear q",
            "ann",
            running -> {
              running.progress("5 tasks are deleted.");
              throw new IllegalStateException("a defect");
            });
    awaitEnd(job);
    assertThat(job.progress()).startsWith("5 tasks are deleted. Then it failed.");
  }

  @Test
  void shouldBoundJobsAndForgetTheOldest() {
    List<Job> running = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      running.add(jobs.start("Clear q", "ann", this::untilItMayEnd));
    }
    assertThatThrownBy(() -> jobs.start("Clear q", "ann", job -> ""))
        .isInstanceOf(PageException.class)
        .hasMessage("Nothing was done: 8 jobs are running. Wait for one to end.");
    mayEnd.countDown();
    running.forEach(JobBookTest::awaitEnd);
    for (int i = 0; i < 50; i++) {
      awaitEnd(jobs.start("Clear q", "ann", job -> ""));
    }
    assertThat(jobs.find(running.get(7).id())).isEmpty();
  }
}
