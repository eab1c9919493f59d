package io.entroq.server.remote;

import io.entroq.api.Doc;
import io.entroq.api.DocModification;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.conformance.EntroQConformance;
import io.entroq.api.conformance.QueueUnderTest;
import io.entroq.client.EntroQClient;
import io.entroq.cluster.member.Liveness;
import io.entroq.cluster.member.MemberAccess;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.engine.embedded.EmbeddedConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What every EntroQ does alike, by three served members, for a client that knows all of them. */
@ParameterizedClass
@EnumSource(Over.class)
@Tag("long")
class ServedClusterConformanceTest extends EntroQConformance {
  /** The tests' clock goes forward by minutes, by which nobody is to be given up. */
  private static final Liveness PATIENT =
      new Liveness(
          Duration.ofMillis(100),
          Duration.ofMinutes(10),
          Duration.ofMillis(500),
          Duration.ofMinutes(20),
          Duration.ofMinutes(20),
          Duration.ofSeconds(10));

  private static final int BATCH = 1_000;

  @TempDir static Path directory;

  /** By how many tasks a queue may have; one is started when it is needed first. */
  private static final Map<Long, Running> RUNNING = new HashMap<>();

  @Parameter Over over;

  @AfterAll
  static void stop() {
    RUNNING.values().forEach(Running::close);
    RUNNING.clear();
  }

  @Override
  protected QueueUnderTest open(long queueTasksMax) throws IOException {
    Running running = RUNNING.get(queueTasksMax);
    if (running == null) {
      running = new Running(queueTasksMax);
      RUNNING.put(queueTasksMax, running);
    }
    return new Remote(running, over);
  }

  private static final class Running implements AutoCloseable {
    private final MovedClock clock = new MovedClock();
    private final ServedCluster cluster;

    Running(long queueTasksMax) throws IOException {
      EmbeddedConfig bounds =
          EmbeddedConfig.inMemory()
              .commandBytesMax(MemberConfig.COMMAND_BYTES_MAX)
              .queueTasksMax(queueTasksMax)
              .build();
      cluster =
          new ServedCluster(
              directory.resolve("limit-" + queueTasksMax),
              config -> {
                MemberAccess.setClock(config, clock);
                return config.bounds(bounds).liveness(PATIENT);
              });
      cluster.awaitLeader();
      cluster.awaitSessions();
      // All have their sessions and follow, so that none needs a clock that goes.
      clock.stop();
    }

    @Override
    public void close() {
      cluster.close();
    }
  }

  private static final class Remote implements QueueUnderTest {
    private final Running running;
    private final EntroQClient client;

    Remote(Running running, Over over) {
      this.running = running;
      client =
          EntroQClient.connect(
              running
                  .cluster
                  .config(over)
                  .nanoClock(() -> TimeUnit.MILLISECONDS.toNanos(running.clock.nowMs()))
                  // By that clock, too.
                  .callTimeout(Duration.ofMinutes(20))
                  .build());
      clear(client);
    }

    @Override
    public EntroQ queue() {
      return client;
    }

    @Override
    public void advance(Duration duration) {
      running.clock.advance(duration.toMillis());
    }

    /** The cluster goes on, for the next test, without a claim of this one. */
    @Override
    public void close() {
      client.close();
      running.cluster.awaitNobodyWaiting();
    }
  }

  private static void delete(EntroQ queue, String claimant, List<Task> tasks) {
    for (int from = 0; from < tasks.size(); from += BATCH) {
      Modification.Builder deletes = Modification.builder().claimant(claimant);
      tasks.subList(from, Math.min(tasks.size(), from + BATCH)).forEach(deletes::delete);
      queue.modify(deletes.build()).orThrow();
    }
  }

  /** What an earlier test has left. */
  private static void clear(EntroQ queue) {
    // What is read after a write is all that was written before, whoever has written it.
    queue.modify(Modification.insert("first", "first")).orThrow();
    for (String name : queue.queues(QueueQuery.all()).keySet()) {
      queue.tasks(TaskQuery.in(name).withoutValues()).stream()
          .collect(Collectors.groupingBy(Task::claimant))
          .forEach((claimant, tasks) -> delete(queue, claimant, tasks));
    }
    for (String namespace : queue.namespaces(NamespaceQuery.all()).keySet()) {
      for (Doc doc : queue.docs(DocQuery.in(namespace))) {
        DocModification delete =
            new DocModification(List.of(), List.of(), List.of(doc.ref()), List.of());
        queue.modify(Modification.empty().withDocs(delete).withClaimant(doc.claimant())).orThrow();
      }
    }
  }
}
