package io.entroq.cluster.service;

import io.aeron.AeronCounters;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusterCounters;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.entroq.cluster.session.MemberPrincipal;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

/** The container as a service sees it, controlled by a test. */
final class FakeCluster {
  private static final int COUNTERS = 16;

  private final ClusteredServiceContainer.Context context = new ClusteredServiceContainer.Context();
  private final CountersManager counters =
      new CountersManager(
          new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.METADATA_LENGTH)),
          new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTERS * CountersReader.COUNTER_LENGTH)));
  private final int election =
      allocate(ConsensusModule.Configuration.ELECTION_STATE_TYPE_ID, "election");
  private final int term =
      allocate(AeronCounters.CLUSTER_LEADERSHIP_TERM_ID_TYPE_ID, "term of the leader");
  private final int committed =
      allocate(AeronCounters.CLUSTER_COMMIT_POSITION_TYPE_ID, "commit position");
  private final List<ClientSession> sessions = new ArrayList<>();

  /** How often a timer was armed. */
  int timers;

  /** Runs while the service idles, like the container's background work. */
  Runnable idling = Thread::onSpinWait;

  /** Where the log is applied. */
  LongSupplier logPosition = new AtomicLong()::getAndIncrement;

  FakeCluster() {
    commit(0);
    vote(ElectionState.INIT);
  }

  private int allocate(int typeId, String name) {
    return counters.allocate(
        name + ClusterCounters.CLUSTER_ID_LABEL_SUFFIX + context.clusterId(),
        typeId,
        key -> key.putInt(0, context.clusterId()));
  }

  /** The counters read by {@link LeaderContact}. */
  CountersReader counters() {
    return counters;
  }

  /** The member follows a leader, or leads. */
  void follow(long termId) {
    counters.setCounterValue(term, termId);
    vote(ElectionState.CLOSED);
  }

  /** Sets the state of the election. */
  void vote(ElectionState state) {
    counters.setCounterValue(election, state.code());
  }

  /** Sets the committed end of the log. */
  void commit(long position) {
    counters.setCounterValue(committed, position);
  }

  /** Opens a session. */
  ClientSession open(long incarnation) {
    byte[] principal = MemberPrincipal.of(incarnation);
    ClientSession session =
        proxy(ClientSession.class, name -> name.equals("encodedPrincipal") ? principal : null);
    sessions.add(session);
    return session;
  }

  /** Closes a session: the container removes it before it notifies the service. */
  void close(ClientSession session) {
    sessions.remove(session);
  }

  /** The context of the service. */
  Cluster cluster() {
    return proxy(
        Cluster.class,
        name ->
            switch (name) {
              case "context" -> context;
              case "clientSessions" -> sessions;
              case "logPosition" -> logPosition.getAsLong();
              case "idleStrategy" -> idle();
              case "scheduleTimer" -> ++timers > 0;
              default -> throw new UnsupportedOperationException(name);
            });
  }

  private IdleStrategy idle() {
    return proxy(
        IdleStrategy.class,
        name -> {
          if (name.equals("idle")) {
            idling.run();
          }
          return null;
        });
  }

  private interface Answers {
    Object to(String method);
  }

  private static <T> T proxy(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> self == arguments[0];
                  case "hashCode" -> System.identityHashCode(self);
                  case "toString" -> type.getSimpleName();
                  default -> answers.to(method.getName());
                }));
  }
}
