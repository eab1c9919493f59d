package io.entroq.cluster.member;

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
import io.entroq.engine.embedded.EmbeddedConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The API's conformance suite on a follower of three members. */
@Tag("long")
class ClusterConformanceIT extends EntroQConformance {
  @TempDir static Path directory;

  private static TestCluster cluster;
  private static long limit;
  private static int clusters;
  private static int underTest;

  @BeforeAll
  static void startCluster() throws Exception {
    start(0);
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  private static void start(long queueTasksMax) throws Exception {
    limit = queueTasksMax;
    EmbeddedConfig bounds =
        EmbeddedConfig.inMemory()
            .commandBytesMax(MemberConfig.COMMAND_BYTES_MAX)
            .queueTasksMax(queueTasksMax)
            .build();
    cluster =
        new TestCluster(
                directory.resolve("cluster-" + clusters++),
                config -> config.bounds(bounds).liveness(Liveness.DEFAULT))
            .bootstrap();
    underTest = cluster.follower(cluster.awaitLeader());
    settle();
  }

  /** Waits until all follow the leader and have sessions, which then need no running clock. */
  private static void settle() {
    cluster.awaitLeader();
    for (int id = 0; id < TestCluster.MEMBERS; id++) {
      cluster.queue(id).modify(Modification.insert("first", "first")).orThrow();
    }
    cluster.awaitAgreement();
    cluster.clock().freeze();
  }

  @Override
  protected QueueUnderTest open(long queueTasksMax) throws Exception {
    if (queueTasksMax != limit) {
      cluster.close();
      start(queueTasksMax);
    } else if (cluster.members().count() < TestCluster.MEMBERS) {
      restartClosed();
    }
    clear(cluster.queue(underTest));
    return new Hosted();
  }

  private static void restartClosed() {
    cluster.clock().thaw();
    cluster.start(underTest);
    settle();
  }

  /** A queue that is closed with the member that hosts it. */
  private static final class Hosted implements QueueUnderTest {
    private final EntroQ queue = hosted(cluster.queue(underTest));

    private static EntroQ hosted(EntroQ hosted) {
      return (EntroQ)
          Proxy.newProxyInstance(
              Hosted.class.getClassLoader(),
              new Class<?>[] {EntroQ.class},
              (proxy, method, arguments) -> call(hosted, method, arguments));
    }

    private static Object call(EntroQ hosted, Method method, Object[] arguments) throws Throwable {
      if (method.getName().equals("close")) {
        if (cluster.member(underTest) != null) {
          cluster.stop(underTest);
        }
        return null;
      }
      try {
        Object result = method.invoke(hosted, arguments);
        return method.getName().equals("withTimeout") ? hosted((EntroQ) result) : result;
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    @Override
    public EntroQ queue() {
      return queue;
    }

    @Override
    public void advance(Duration duration) {
      cluster.clock().advance(duration.toMillis());
    }

    /** Keeps the member for the next test. */
    @Override
    public void close() {}
  }

  /** Deletes what an earlier test left; its leases have ended. */
  private static void clear(EntroQ queue) {
    cluster.clock().advance(Duration.ofDays(2).toMillis());
    for (String name : queue.queues(QueueQuery.all()).keySet()) {
      List<Task> tasks = queue.tasks(TaskQuery.in(name));
      for (Task task : tasks) {
        queue.modify(Modification.delete(task)).orThrow();
      }
    }
    for (String namespace : queue.namespaces(NamespaceQuery.all()).keySet()) {
      List<Doc.Ref> docs = queue.docs(DocQuery.in(namespace)).stream().map(Doc::ref).toList();
      DocModification deletes = new DocModification(List.of(), List.of(), docs, List.of());
      queue.modify(Modification.empty().withDocs(deletes)).orThrow();
    }
  }
}
