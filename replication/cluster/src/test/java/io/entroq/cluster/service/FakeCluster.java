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
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

/** What a service sees of the container that it runs in, set by a test. */
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
  private final List<ClientSession> sessions = new ArrayList<>();

  /** How often a timer was armed. */
  int timers;

  /** What happens while the service idles, as the container then has it do other work. */
  Runnable idling = Thread::onSpinWait;

  private long logPosition;

  FakeCluster() {
    vote(ElectionState.INIT);
  }

  private int allocate(int typeId, String name) {
    return counters.allocate(
        name + ClusterCounters.CLUSTER_ID_LABEL_SUFFIX + context.clusterId(),
        typeId,
        key -> key.putInt(0, context.clusterId()));
  }

  /** What is known of the leader, for {@link LeaderContact}. */
  CountersReader counters(Cluster cluster) {
    return counters;
  }

  /** The member follows a leader, or is one. */
  void follow(long termId) {
    counters.setCounterValue(term, termId);
    vote(ElectionState.CLOSED);
  }

  /** The member is in an election, or past it. */
  void vote(ElectionState state) {
    counters.setCounterValue(election, state.code());
  }

  /** A session is opened. */
  ClientSession open(long incarnation) {
    byte[] principal = MemberPrincipal.of(incarnation);
    ClientSession session =
        proxy(ClientSession.class, name -> name.equals("encodedPrincipal") ? principal : null);
    sessions.add(session);
    return session;
  }

  /** A session is over: the container forgets it before it tells of that. */
  void close(ClientSession session) {
    sessions.remove(session);
  }

  /** What the service is given. */
  Cluster cluster() {
    return proxy(
        Cluster.class,
        name ->
            switch (name) {
              case "context" -> context;
              case "clientSessions" -> sessions;
              case "logPosition" -> logPosition++;
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
