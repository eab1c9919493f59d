package io.entroq.server.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.conformance.EntroQConformance;
import io.entroq.api.conformance.QueueUnderTest;
import io.entroq.client.EntroQClient;
import io.entroq.cluster.member.Liveness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every EntroQ does alike, by three members of which the leader is closed or killed every few
 * seconds: for a client that knows all of them, and in the process of a member. What is in the
 * process of a member ends with it, so there a leader is spared whose process it is.
 */
@ParameterizedClass
@EnumSource(LeaderChangesConformanceIT.Caller.class)
@Tag("long")
class LeaderChangesConformanceIT extends EntroQConformance {
  /** Who asks. */
  enum Caller {
    CALLS(8),
    STREAM(8),
    /** Here leaders have the time of a test only, as a host is to be found before each. */
    IN_PROCESS(5);

    /** How many leaders are ended at least, or little was asked of those who come after them. */
    private final int changesLeast;

    Caller(int changesLeast) {
      this.changesLeast = changesLeast;
    }
  }

  /** A leader that does not say a word is given up after three seconds, by the tests' clock. */
  private static final Liveness LIVENESS =
      new Liveness(
          Duration.ofMillis(100),
          Duration.ofSeconds(3),
          Duration.ofMillis(500),
          Duration.ofSeconds(9),
          Duration.ofMinutes(20),
          Duration.ofSeconds(10));

  /** By so much the clock goes forward at a time, so that nobody is given up for that. */
  private static final long STEP_MS = 500;

  private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(30);

  @TempDir static Path directory;

  /** By how many tasks a queue may have; one is started when it is needed first. */
  private static final Map<Long, Running> RUNNING = new HashMap<>();

  /** How many leaders had been ended when each began to ask; one asks after the other. */
  private static final Map<Caller, Integer> BEGUN_AT = new EnumMap<>(Caller.class);

  @Parameter Caller caller;

  @AfterAll
  static void stop() throws Exception {
    try {
      for (Running running : RUNNING.values()) {
        running.changes.end();
      }
      int end = changes();
      List<Caller> lastFirst = new ArrayList<>(BEGUN_AT.keySet());
      Collections.reverse(lastFirst);
      for (Caller each : lastFirst) {
        int count = end - BEGUN_AT.get(each);
        System.out.println(count + " leaders were ended while " + each + " asked");
        assertThat(count).as(each.name()).isGreaterThanOrEqualTo(each.changesLeast);
        end = BEGUN_AT.get(each);
      }
    } finally {
      RUNNING.values().forEach(running -> running.cluster.close());
      RUNNING.clear();
    }
  }

  private static int changes() {
    return RUNNING.values().stream().mapToInt(running -> running.changes.count()).sum();
  }

  @Override
  protected QueueUnderTest open(long queueTasksMax) throws IOException {
    BEGUN_AT.computeIfAbsent(caller, unused -> changes());
    Running running = RUNNING.get(queueTasksMax);
    if (running == null) {
      running = new Running(queueTasksMax);
      RUNNING.put(queueTasksMax, running);
    }
    return switch (caller) {
      case CALLS -> new Remote(running, Over.CALLS);
      case STREAM -> new Remote(running, Over.STREAM);
      case IN_PROCESS -> new Hosted(running);
    };
  }

  private static final class Running {
    private final ConformanceCluster cluster;
    private final LeaderChanges changes;

    Running(long queueTasksMax) throws IOException {
      cluster =
          new ConformanceCluster(
              directory.resolve("limit-" + queueTasksMax), queueTasksMax, LIVENESS);
      changes = new LeaderChanges(cluster.members(), PAUSE);
    }
  }

  /** Members that go on, for the next test. */
  private abstract static class OfCluster implements QueueUnderTest {
    final Running running;

    OfCluster(Running running) {
      this.running = running;
    }

    @Override
    public void advance(Duration duration) {
      for (long leftMs = duration.toMillis(); leftMs > 0; leftMs -= STEP_MS) {
        running.cluster.clock().advance(Math.min(leftMs, STEP_MS));
        LockSupport.parkNanos(STEP_NS);
      }
    }

    /** For a leader to be missed, and another one to be voted for. */
    @Override
    public Duration drift() {
      return Duration.ofSeconds(10);
    }
  }

  private static final class Remote extends OfCluster {
    private final EntroQClient client;

    Remote(Running running, Over over) {
      super(running);
      client = running.cluster.connect(over, CALL_TIMEOUT);
      ConformanceCluster.clear(client);
      running.changes.begin();
    }

    @Override
    public EntroQ queue() {
      return client;
    }

    @Override
    public void close() {
      running.changes.pause();
      client.close();
      running.cluster.members().awaitNobodyWaiting();
    }
  }

  /** A queue that is closed with the member that hosts it. */
  private static final class Hosted extends OfCluster {
    /** A member without contact to a leader refuses reads, and is asked again here; writes wait. */
    private static final Set<String> READS =
        Set.of(
            "tasks",
            "docs",
            "queues",
            "queueStats",
            "namespaces",
            "time",
            "areQueuesEmpty",
            "waitQueuesEmpty");

    private final ServedMembers members;
    private final int host;
    private final EntroQ hosted;
    private final EntroQ queue;
    private boolean isClosed;

    Hosted(Running running) {
      super(running);
      members = running.cluster.members();
      host = running.changes.spareFollower();
      hosted = members.queue(host);
      queue =
          (EntroQ)
              Proxy.newProxyInstance(
                  Hosted.class.getClassLoader(), new Class<?>[] {EntroQ.class}, this::call);
      ConformanceCluster.clear(queue);
      running.changes.begin();
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
      if (method.getName().equals("close")) {
        closeHost();
        return null;
      }
      long endNs = System.nanoTime() + CALL_TIMEOUT.toNanos();
      while (true) {
        try {
          return method.invoke(hosted, arguments);
        } catch (InvocationTargetException e) {
          boolean isAgain =
              READS.contains(method.getName())
                  && e.getCause() instanceof EntroQException.Unavailable
                  && System.nanoTime() - endNs < 0;
          if (!isAgain) {
            throw e.getCause();
          }
          LockSupport.parkNanos(STEP_NS);
        }
      }
    }

    private void closeHost() {
      running.changes.pause();
      synchronized (running.changes) {
        if (!isClosed) {
          members.stop(host);
        }
        isClosed = true;
      }
    }

    @Override
    public EntroQ queue() {
      return queue;
    }

    @Override
    public void close() {
      running.changes.pause();
      synchronized (running.changes) {
        if (isClosed) {
          try {
            members.start(host);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          members.awaitLeader();
        }
      }
      members.awaitNobodyWaiting();
    }
  }
}
