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
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.cluster.member.Liveness;
import io.entroq.cluster.member.MemberAccess;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.engine.embedded.EmbeddedConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Served members over which the conformance suite runs; they go on from test to test. */
final class ConformanceCluster implements AutoCloseable {
  private static final int BATCH = 1_000;

  private final MovedClock clock = new MovedClock();
  private final ServedMembers members;

  /**
   * Begins when all follow a leader and have their sessions. The clock goes.
   *
   * @param queueTasksMax how many tasks a queue may have; 0: any number
   */
  ConformanceCluster(Path directory, long queueTasksMax, Liveness liveness) throws IOException {
    EmbeddedConfig bounds =
        EmbeddedConfig.inMemory()
            .commandBytesMax(MemberConfig.COMMAND_BYTES_MAX)
            .queueTasksMax(queueTasksMax)
            .build();
    members =
        new ServedMembers(
            directory,
            config -> {
              MemberAccess.setClock(config, clock);
              return config.bounds(bounds).liveness(liveness);
            });
    members.awaitLeader();
    members.awaitSessions();
  }

  ServedMembers members() {
    return members;
  }

  MovedClock clock() {
    return clock;
  }

  /**
   * A client of all members, which takes the time from their clock.
   *
   * @param callTimeout by the time of this machine
   */
  EntroQClient connect(Over over, Duration callTimeout) {
    ClientConfig.Builder config =
        members
            .config(over)
            .nanoClock(() -> TimeUnit.MILLISECONDS.toNanos(clock.nowMs()))
            .callTimeout(callTimeout);
    return EntroQClient.connect(config.build());
  }

  private static void delete(EntroQ queue, String claimant, List<Task> tasks) {
    for (int from = 0; from < tasks.size(); from += BATCH) {
      Modification.Builder deletes = Modification.builder().claimant(claimant);
      tasks.subList(from, Math.min(tasks.size(), from + BATCH)).forEach(deletes::delete);
      queue.modify(deletes.build()).orThrow();
    }
  }

  /** Removes what an earlier test has left. */
  static void clear(EntroQ queue) {
    // What is read after a write is all that was written before, whoever has written it.
    queue.modify(Modification.insert("first", "first")).orThrow();
    for (String name : queue.queues(QueueQuery.all()).keySet()) {
      queue.tasks(TaskQuery.in(name).withoutValues()).stream()
          .collect(Collectors.groupingBy(Task::claimant))
          .forEach((claimant, tasks) -> delete(queue, claimant, tasks));
    }
    for (String namespace : queue.namespaces(NamespaceQuery.all()).keySet()) {
      // Together, since the deletion of one doc raises the version of all others of its set.
      queue.docs(DocQuery.in(namespace)).stream()
          .collect(Collectors.groupingBy(Doc::claimant))
          .forEach((claimant, docs) -> deleteDocs(queue, claimant, docs));
    }
  }

  private static void deleteDocs(EntroQ queue, String claimant, List<Doc> docs) {
    List<Doc.Ref> refs = docs.stream().map(Doc::ref).toList();
    DocModification deletes = new DocModification(List.of(), List.of(), refs, List.of());
    queue.modify(Modification.empty().withDocs(deletes).withClaimant(claimant)).orThrow();
  }

  @Override
  public void close() {
    members.close();
  }
}
